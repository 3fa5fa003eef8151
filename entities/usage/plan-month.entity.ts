import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * How many messages a hierarchy has had in a month (UTC), for plans that limit them. Whoever counts one holds the lock of the
 * payer's account. A change of the plan removes the row, and the next message counts anew what there was.
 */
@Entity('plan_months')
@Index('ix_plan_months_month', ['month'])
export class PlanMonth {
  @PrimaryColumn({ name: 'payer_id', type: 'uuid', primaryKeyConstraintName: 'pk_plan_months' })
  @ForeignKey(() => Org, 'id', { name: 'fk_plan_months_payer_id', onDelete: 'CASCADE' })
  payerId!: string;
  /** Its first day. */
  @PrimaryColumn({ name: 'month', type: 'date', primaryKeyConstraintName: 'pk_plan_months' })
  month!: string;
  @Counter('messages') messages!: number;
  /** The share of the limit that people were told of last. */
  @Counter('told_percent') toldPercent!: number;
}
