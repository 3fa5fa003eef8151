import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_plan_months' };

/**
 * Number of visitors' messages in a hierarchy of workspaces in a month (UTC). The row is created when a plan
 * first limits messages, and then counts all messages until the month ends, even if the plan changes. Changes
 * require a lock on the payer's billing account.
 */
@Entity('plan_months')
@Index('ix_plan_months_month', ['month'])
export class PlanMonth {
  @PrimaryColumn({ name: 'payer_id', type: 'uuid', ...KEY })
  @ForeignKey(() => Org, 'id', { name: 'fk_plan_months_payer_id', onDelete: 'CASCADE' })
  payerId!: string;
  /** First day of the month (UTC) whose messages are counted. */
  @PrimaryColumn({ name: 'month', type: 'date', ...KEY })
  month!: string;
  @Counter('messages') messages!: number;
  /**
   * Number of messages that were paid by top-ups. These messages do not count against the plan's allowance.
   */
  @Counter('paid_messages') paidMessages!: number;
  /**
   * Time at which all answers that were being generated at the first count have ended. The count then
   * includes these messages. Null once they are included.
   */
  @Timestamp('recount_at', { nullable: true }) recountAt!: Date | null;
}
