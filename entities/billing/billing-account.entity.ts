import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { BillingProfile, TaxIdStatus } from '../../core/billing/billing-profile.ts';
import type { PaidTier, PlanTier } from '../../core/billing/plans.ts';
import {
  Counter,
  CreatedAt,
  Json,
  NullableText,
  Text,
  Timestamp,
  UpdatedAt,
} from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

export const subscriptionStatuses = ['none', 'trialing', 'active', 'past_due', 'ended'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** Those of a subscription that gives its tier. */
export const payingStatuses = [
  'trialing',
  'active',
  'past_due',
] as const satisfies readonly SubscriptionStatus[];

/** former: it was the present one once. duplicate: it came while there was one, and what was paid for it is given back. */
export type OtherSubscription = 'former' | 'duplicate';

/** What a payer has: made when it is first needed. */
@Entity('billing_accounts')
@Index('uq_billing_accounts_customer', ['customerId'], { unique: true })
@Index('ix_billing_accounts_synced_at', ['syncedAt'])
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
  /** Ids of the payment provider. */
  @NullableText('customer_id') customerId!: string | null;
  /** How often one was asked for. */
  @Counter('customer_attempts') customerAttempts!: number;
  @NullableText('subscription_id') subscriptionId!: string | null;
  @NullableText('price_id') priceId!: string | null;
  @Text('status', { default: 'none' }) status!: SubscriptionStatus;
  @Timestamp('period_start', { nullable: true }) periodStart!: Date | null;
  @Timestamp('period_end', { nullable: true }) periodEnd!: Date | null;
  /** When a cancelled subscription ends, or has ended. */
  @Timestamp('ends_at', { nullable: true }) endsAt!: Date | null;
  /** By their ids. */
  @Json('other_subscriptions', { default: {} }) otherSubscriptions!: Record<string, OtherSubscription>;
  /** Rises whenever what the provider says is taken over, so that nothing older replaces it. */
  @Counter('version') version!: number;
  @Timestamp('synced_at', { nullable: true }) syncedAt!: Date | null;
  @Json('profile', { default: {} }) profile!: Partial<BillingProfile>;
  @Timestamp('profile_saved_at', { nullable: true }) profileSavedAt!: Date | null;
  /** Rises with each save. */
  @Counter('profile_version') profileVersion!: number;
  /** Which one the provider has. */
  @Counter('pushed_profile_version') pushedProfileVersion!: number;
  @Text('tax_id_status', { default: 'none' }) taxIdStatus!: TaxIdStatus;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
