import { Column, Entity, Index } from 'typeorm';
import { Id, Integer } from '../../database/columns.ts';

/**
 * A change of the number of handoffs, written by triggers on conversations. The inbox counts their sum. An hourly job
 * folds the rows into one; no row is updated, so handoffs never wait for each other.
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
