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

/** Statuses in which a subscription grants its tier. */
export const payingStatuses = [
  'trialing',
  'active',
  'past_due',
] as const satisfies readonly SubscriptionStatus[];

/**
 * former: an earlier subscription of the payer. duplicate: created while another one was active; its payment is
 * refunded.
 */
export type OtherSubscription = 'former' | 'duplicate';

/** Billing state of a payer, created on first use. */
@Entity('billing_accounts')
@Index('uq_billing_accounts_customer', ['customerId'], { unique: true })
@Index('ix_billing_accounts_synced_at', ['syncedAt'])
export class BillingAccount {
  /** The workspace at the top of a hierarchy. */
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: 'pk_billing_accounts' })
  @ForeignKey(() => Org, 'id', { name: 'fk_billing_accounts_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  /** Tier that the operator has granted, regardless of payments. */
  @NullableText('override_tier') overrideTier!: PlanTier | null;
  @Text('paid_tier', { default: 'free' }) paidTier!: PaidTier | 'free';
  /** Unused messages of top-ups. */
  @Counter('credits_left') creditsLeft!: number;
  /** Customer id at the payment provider. */
  @NullableText('customer_id') customerId!: string | null;
  /** Number of attempts to create a customer. */
  @Counter('customer_attempts') customerAttempts!: number;
  @NullableText('subscription_id') subscriptionId!: string | null;
  @NullableText('price_id') priceId!: string | null;
  @Text('status', { default: 'none' }) status!: SubscriptionStatus;
  @Timestamp('period_start', { nullable: true }) periodStart!: Date | null;
  @Timestamp('period_end', { nullable: true }) periodEnd!: Date | null;
  /** When a cancelled subscription ends or ended. */
  @Timestamp('ends_at', { nullable: true }) endsAt!: Date | null;
  /** Earlier and duplicate subscriptions by id. */
  @Json('other_subscriptions', { default: {} }) otherSubscriptions!: Record<string, OtherSubscription>;
  /** Incremented whenever the provider's state is applied, so that older state cannot replace it. */
  @Counter('version') version!: number;
  @Timestamp('synced_at', { nullable: true }) syncedAt!: Date | null;
  @Json('profile', { default: {} }) profile!: Partial<BillingProfile>;
  @Timestamp('profile_saved_at', { nullable: true }) profileSavedAt!: Date | null;
  /** Incremented by each save. */
  @Counter('profile_version') profileVersion!: number;
  /** Profile version that the provider has. */
  @Counter('pushed_profile_version') pushedProfileVersion!: number;
  @Text('tax_id_status', { default: 'none' }) taxIdStatus!: TaxIdStatus;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
