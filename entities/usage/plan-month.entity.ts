import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_plan_months' };

/**
 * Messages of a hierarchy in a month (UTC), created when a plan first limits them. From then on every message counts
 * until the month ends, whatever the plan. Counting requires the lock of the payer's account.
 */
@Entity('plan_months')
@Index('ix_plan_months_month', ['month'])
export class PlanMonth {
  @PrimaryColumn({ name: 'payer_id', type: 'uuid', ...KEY })
  @ForeignKey(() => Org, 'id', { name: 'fk_plan_months_payer_id', onDelete: 'CASCADE' })
  payerId!: string;
  /** First day of the month. */
  @PrimaryColumn({ name: 'month', type: 'date', ...KEY })
  month!: string;
  @Counter('messages') messages!: number;
  /** Messages paid by top-ups. They use no allowance, not even that of a later plan. */
  @Counter('paid_messages') paidMessages!: number;
  /**
   * When turns that were in progress at the first count, and therefore uncounted, are over; null once they were added.
   */
  @Timestamp('recount_at', { nullable: true }) recountAt!: Date | null;
}
