import type { Limits, PlanTier, Plans } from '../../../core/billing/plans.ts';
import type { Clock } from '../../../core/clock.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { SubscriptionStatus } from '../../../entities/billing/billing-account.entity.ts';
import type { Checkout } from '../../../entities/billing/checkout.entity.ts';
import type { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { PayerRepository } from '../../../repositories/billing/payer.repository.ts';

/** Subscription data that members of the workspace may see. */
export interface SubscriptionState {
  tier: PlanTier;
  limits: Limits;
  /** True if the workspace pays for itself. If false, the fields below are empty. */
  isBilledHere: boolean;
  status: SubscriptionStatus;
  periodStart: Date | null;
  periodEnd: Date | null;
  renewsAt: Date | null;
  endsAt: Date | null;
  creditsLeft: number;
  /** An open checkout with which the workspace buys a tier; null if no such checkout exists. */
  checkout: Pick<Checkout, 'kind' | 'product' | 'expiresAt'> | null;
  syncedAt: Date | null;
}

const UNPAID = {
  status: 'none',
  periodStart: null,
  periodEnd: null,
  endsAt: null,
  creditsLeft: 0,
  syncedAt: null,
} as const;

export interface SubscriptionServiceDeps {
  plans: Plans;
  payers: PayerRepository;
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  clock: Clock;
}

/** Reads subscriptions of workspaces. */
export class SubscriptionService {
  readonly #deps: SubscriptionServiceDeps;

  constructor(deps: SubscriptionServiceDeps) {
    this.#deps = deps;
  }

  async get(scope: OrgScope): Promise<SubscriptionState> {
    const { plans, payers, accounts, checkouts, clock } = this.#deps;
    const { payerId, planTier: tier } = await payers.get(scope);
    const isBilledHere = payerId === scope.orgId;
    const [account, checkout] = isBilledHere
      ? await Promise.all([accounts.find(scope.db, payerId), checkouts.findPlanCheckout(scope)])
      : [null, null];
    const { status, periodStart, periodEnd, endsAt, creditsLeft, syncedAt } = account ?? UNPAID;
    return {
      tier,
      limits: plans.getLimits(tier),
      isBilledHere,
      status,
      periodStart,
      periodEnd,
      renewsAt: status !== 'ended' && endsAt === null ? periodEnd : null,
      endsAt,
      creditsLeft,
      checkout: checkout?.state === 'open' && checkout.expiresAt > clock.now() ? checkout : null,
      syncedAt,
    };
  }
}
