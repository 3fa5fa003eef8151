import type { Checkout } from '../../entities/billing/checkout.entity.ts';
import type { Receipt } from '../../entities/billing/receipt.entity.ts';
import type { SavedProfile } from '../../services/billing/billing-profile-service.ts';
import type { PlanOffer } from '../../services/billing/plan-service.ts';
import type { SubscriptionState } from '../../services/billing/subscriptions/subscription-service.ts';
import type {
  BillingProfileRead,
  CheckoutResponse,
  PlanRead,
  ReceiptRead,
  SubscriptionRead,
} from './billing.schemas.ts';

export function presentPlan(offer: PlanOffer): PlanRead {
  return {
    tier: offer.tier,
    name: offer.name,
    interval: offer.tier === 'topup' ? null : 'month',
    amount_cents: offer.amountCents,
    currency: offer.currency,
    limits: offer.limits,
    credits: offer.credits,
    is_current: offer.isCurrent,
  };
}

export function presentSubscription(state: SubscriptionState): SubscriptionRead {
  return {
    tier: state.tier,
    status: state.status,
    is_billed_here: state.isBilledHere,
    period_start: state.periodStart?.toISOString() ?? null,
    period_end: state.periodEnd?.toISOString() ?? null,
    renews_at: state.renewsAt?.toISOString() ?? null,
    ends_at: state.endsAt?.toISOString() ?? null,
    topup_credits_left: state.creditsLeft,
    limits: state.limits,
    checkout: state.checkout && {
      tier: state.checkout.product,
      expires_at: payableUntil(state.checkout),
    },
    synced_at: state.syncedAt?.toISOString() ?? null,
  };
}

export function presentProfile({ profile, taxIdStatus, savedAt }: SavedProfile): BillingProfileRead {
  return { ...profile, tax_id_status: taxIdStatus, updated_at: savedAt?.toISOString() ?? null };
}

export function presentCheckout({ id, url, kind, product, quantity, expiresAt }: Checkout): CheckoutResponse {
  return {
    id,
    url: url ?? '',
    expires_at: payableUntil({ kind, expiresAt }),
    tier: product,
    quantity,
  };
}

/**
 * Returns until when a checkout can be paid. Null for a change of tier, for which the payment provider does
 * not state a time.
 */
function payableUntil({ kind, expiresAt }: Pick<Checkout, 'kind' | 'expiresAt'>): string | null {
  return kind === 'session' ? expiresAt.toISOString() : null;
}

export function presentReceipt(receipt: Receipt): ReceiptRead {
  return {
    id: receipt.id,
    number: receipt.number,
    issued_at: receipt.issuedAt.toISOString(),
    amount_cents: receipt.amountCents,
    tax_cents: receipt.taxCents,
    currency: receipt.currency,
    status: receipt.status,
    description: receipt.description,
    addressee: receipt.addressee,
    is_file_ready: receipt.storedAt !== null,
  };
}
