import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Org } from '../team/org.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_plan_notices' };

/** That people were told what share of a limit is used. It is apart from the count, for which turns would wait. */
@Entity('plan_notices')
export class PlanNotice {
  @PrimaryColumn({ name: 'payer_id', type: 'uuid', ...KEY })
  @ForeignKey(() => Org, 'id', { name: 'fk_plan_notices_payer_id', onDelete: 'CASCADE' })
  payerId!: string;
  /** Its first day (UTC). */
  @PrimaryColumn({ name: 'month', type: 'date', ...KEY })
  month!: string;
  /** Of messages. */
  @PrimaryColumn({ name: 'message_limit', type: 'integer', ...KEY })
  limit!: number;
  @PrimaryColumn({ name: 'percent', type: 'integer', ...KEY })
  percent!: number;
}
