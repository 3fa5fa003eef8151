import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Org } from '../team/org.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_plan_notices' };

/**
 * Record that an email about a used percentage of the plan's message limit was sent. Separate from the count,
 * so that emails never block turns.
 */
@Entity('plan_notices')
export class PlanNotice {
  @PrimaryColumn({ name: 'payer_id', type: 'uuid', ...KEY })
  @ForeignKey(() => Org, 'id', { name: 'fk_plan_notices_payer_id', onDelete: 'CASCADE' })
  payerId!: string;
  /** First day of the month (UTC) of the plan's limit. */
  @PrimaryColumn({ name: 'month', type: 'date', ...KEY })
  month!: string;
  /** The plan's limit of messages when the email was sent. */
  @PrimaryColumn({ name: 'message_limit', type: 'integer', ...KEY })
  limit!: number;
  @PrimaryColumn({ name: 'percent', type: 'integer', ...KEY })
  percent!: number;
}
