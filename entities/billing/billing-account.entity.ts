import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Counter, CreatedAt, NullableText, Text, UpdatedAt } from '../../database/columns.ts';
import type { PaidTier, PlanTier } from '../../core/billing/plans.ts';
import { Org } from '../team/org.entity.ts';

/** What a payer has: made when it is first needed. */
@Entity('billing_accounts')
export class BillingAccount {
  /** The workspace at the top of a hierarchy. */
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: 'pk_billing_accounts' })
  @ForeignKey(() => Org, 'id', { name: 'fk_billing_accounts_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  /** What the operator has given, whatever is paid. */
  @NullableText('override_tier') overrideTier!: PlanTier | null;
  @Text('paid_tier', { default: 'free' }) paidTier!: PaidTier | 'free';
  /** Messages of top-ups that are not used up. */
  @Counter('credits_left') creditsLeft!: number;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
