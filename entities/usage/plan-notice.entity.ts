import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Org } from '../team/org.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_plan_notices' };

/** A notice that a share of a limit is used was sent. Not part of the count, which would make turns wait. */
@Entity('plan_notices')
export class PlanNotice {
  @PrimaryColumn({ name: 'payer_id', type: 'uuid', ...KEY })
  @ForeignKey(() => Org, 'id', { name: 'fk_plan_notices_payer_id', onDelete: 'CASCADE' })
  payerId!: string;
  /** First day of the month (UTC). */
  @PrimaryColumn({ name: 'month', type: 'date', ...KEY })
  month!: string;
  /** Limit of messages. */
  @PrimaryColumn({ name: 'message_limit', type: 'integer', ...KEY })
  limit!: number;
  @PrimaryColumn({ name: 'percent', type: 'integer', ...KEY })
  percent!: number;
}
