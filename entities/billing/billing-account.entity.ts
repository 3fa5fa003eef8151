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

/** Statuses in which a subscription grants the plan that it pays for. */
export const tierGrantingStatuses = [
  'trialing',
  'active',
  'past_due',
] as const satisfies readonly SubscriptionStatus[];

/**
 * Returns whether a subscription in this status grants the plan that it pays for. Also accepts statuses of
 * the payment provider.
 */
export function grantsTier(status: string): boolean {
  return tierGrantingStatuses.some((each) => each === status);
}

/**
 * Reason why a subscription is not the payer's current subscription. `former`: an earlier subscription.
 * `duplicate`: created while another subscription was active, so its payment is refunded.
 */
export type OtherSubscription = 'former' | 'duplicate';

/** State of a payer's subscription and top-ups. The row is created on first use. */
@Entity('billing_accounts')
@Index('uq_billing_accounts_customer', ['customerId'], { unique: true })
@Index('ix_billing_accounts_synced_at', ['syncedAt'])
export class BillingAccount {
  /** Workspace that pays for its hierarchy, which is the top of the hierarchy. */
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: 'pk_billing_accounts' })
  @ForeignKey(() => Org, 'id', { name: 'fk_billing_accounts_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  /** Plan tier that the operator granted, which replaces the paid tier; null if the operator granted none. */
  @NullableText('override_tier') overrideTier!: PlanTier | null;
  @Text('paid_tier', { default: 'free' }) paidTier!: PaidTier | 'free';
  /** Number of unused messages from the payer's top-ups. */
  @Counter('credits_left') creditsLeft!: number;
  /** Id of the payer as a customer of the payment provider. */
  @NullableText('customer_id') customerId!: string | null;
  /**
   * Number of attempts to create the payer as a customer at the payment provider; part of the idempotency
   * key.
   */
  @Counter('customer_attempts') customerAttempts!: number;
  @NullableText('subscription_id') subscriptionId!: string | null;
  @NullableText('price_id') priceId!: string | null;
  @Text('status', { default: 'none' }) status!: SubscriptionStatus;
  @Timestamp('period_start', { nullable: true }) periodStart!: Date | null;
  @Timestamp('period_end', { nullable: true }) periodEnd!: Date | null;
  /** Time at which the canceled subscription ends or ended. */
  @Timestamp('ends_at', { nullable: true }) endsAt!: Date | null;
  /** Earlier and duplicate subscriptions of the payer, by their id. */
  @Json('other_subscriptions', { default: {} }) otherSubscriptions!: Record<string, OtherSubscription>;
  /**
   * Number that each sync with the payment provider increments, so that an older state never replaces a newer
   * state.
   */
  @Counter('version') version!: number;
  @Timestamp('synced_at', { nullable: true }) syncedAt!: Date | null;
  @Json('profile', { default: {} }) profile!: Partial<BillingProfile>;
  @Timestamp('profile_saved_at', { nullable: true }) profileSavedAt!: Date | null;
  /** Number that is incremented each time the payer's billing profile is saved. */
  @Counter('profile_version') profileVersion!: number;
  /** Version of the billing profile that the payment provider has. */
  @Counter('pushed_profile_version') pushedProfileVersion!: number;
  @Text('tax_id_status', { default: 'none' }) taxIdStatus!: TaxIdStatus;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
