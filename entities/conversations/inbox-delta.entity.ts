import { Column, Entity, Index } from 'typeorm';
import { Id, Integer } from '../../database/columns.ts';

/**
 * How many handoffs more or fewer there are, written by triggers on conversations: their sum is what the inbox counts.
 * Rows are folded into one each hour; none is a row that many handoffs would wait for.
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
