import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_plan_months' };

/**
 * How many messages a hierarchy has had in a month (UTC), made when a plan first limits them. From then on each of them counts
 * until the month ends, whatever the plan is, and whoever counts one holds the lock of the payer's account.
 */
@Entity('plan_months')
@Index('ix_plan_months_month', ['month'])
export class PlanMonth {
  @PrimaryColumn({ name: 'payer_id', type: 'uuid', ...KEY })
  @ForeignKey(() => Org, 'id', { name: 'fk_plan_months_payer_id', onDelete: 'CASCADE' })
  payerId!: string;
  /** Its first day. */
  @PrimaryColumn({ name: 'month', type: 'date', ...KEY })
  month!: string;
  @Counter('messages') messages!: number;
  /** Those among them that top-ups have paid for: no allowance is used for them, be it of a later plan. */
  @Counter('paid_messages') paidMessages!: number;
  /** When what was under way at the first count, and is in nobody's count, is over; null once it was added. */
  @Timestamp('recount_at', { nullable: true }) recountAt!: Date | null;
}
