import { Column, Entity, Index } from 'typeorm';
import { Id, Integer } from '../../database/columns.ts';

/**
 * A change of the number of open handoffs, inserted by database triggers. The inbox adds up all rows, and an
 * hourly job folds them into one. Rows are never updated, so that handoffs do not wait for each other.
 */
@Entity('inbox_changes')
@Index('ix_inbox_changes_count', ['orgId', 'botId', 'assignedToId'])
export class InboxDelta {
  @Id('inbox_changes') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Column({ name: 'assigned_to_id', type: 'uuid', nullable: true }) assignedToId!: string | null;
  @Integer('change') change!: number;
}
