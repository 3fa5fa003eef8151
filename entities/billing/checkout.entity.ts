import { Column, Entity, Index } from 'typeorm';
import type { Product } from '../../core/billing/plans.ts';
import {
  Counter,
  CreatedAt,
  Id,
  Integer,
  NullableText,
  Reference,
  Text,
  Timestamp,
  UpdatedAt,
} from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * Kind of checkout. `session`: pays for a new subscription or top-up. `change`: confirms another tier of the
 * subscription. `resume`: continues a canceled subscription.
 */
const checkoutKinds = ['session', 'change', 'resume'] as const;
export type CheckoutKind = (typeof checkoutKinds)[number];

/**
 * State of a checkout. `preparing`: the payment provider may not have its page yet. `paying`: the payment
 * method takes days.
 */
const checkoutStates = ['preparing', 'open', 'paying', 'completed', 'expired', 'failed'] as const;
export type CheckoutState = (typeof checkoutStates)[number];

/** States of unfinished checkouts. A payer has at most one checkout for a plan in these states. */
export const unfinishedStates = ['preparing', 'open'] as const satisfies readonly CheckoutState[];

/** A purchase that a person has started at the payment provider. */
@Entity('checkouts')
@Index('uq_checkouts_plan', ['orgId'], {
  unique: true,
  where: "product <> 'topup' AND state IN ('preparing', 'open')",
})
@Index('uq_checkouts_session', ['sessionId'], { unique: true })
@Index('uq_checkouts_payment', ['paymentId'], { unique: true })
@Index('ix_checkouts_org_id', ['orgId', 'createdAt'])
@Index('ix_checkouts_unfinished', ['expiresAt'], { where: "state IN ('preparing', 'open', 'paying')" })
@Index('ix_checkouts_unpaid', ['expiresAt'], { where: "state IN ('expired', 'failed')" })
export class Checkout {
  @Id('checkouts') id!: string;
  @Reference('checkouts', 'org_id', () => Org) orgId!: string;
  @Text('product') product!: Product;
  @Integer('quantity') quantity!: number;
  @Text('kind') kind!: CheckoutKind;
  @Text('state', { default: 'preparing' }) state!: CheckoutState;
  /** Ids of the checkout session and the payment at the payment provider. */
  @NullableText('session_id') sessionId!: string | null;
  @NullableText('payment_id') paymentId!: string | null;
  @NullableText('url') url!: string | null;
  @Timestamp('expires_at') expiresAt!: Date;
  /** Number of the top-up's messages whose price was refunded. */
  @Counter('refunded_messages') refundedMessages!: number;
  @Column({ name: 'created_by_id', type: 'uuid' }) createdById!: string;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
