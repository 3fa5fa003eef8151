import { ProviderUnavailable, type PaymentProvider } from '../../adapters/billing/payment-provider.ts';
import type { Plans } from '../../core/billing/plans.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { payingStatuses } from '../../entities/billing/billing-account.entity.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../repositories/billing/checkout.repository.ts';
import { isOfPlan } from './counted-subscriptions.ts';
import { isCustomer } from './customers.service.ts';

export interface BillingLeavingDeps {
  provider: PaymentProvider | undefined;
  plans: Plans;
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
}

/** Sees to it that nobody pays for a workspace that is gone. */
export class BillingLeaving {
  readonly #deps: BillingLeavingDeps;

  constructor(deps: BillingLeavingDeps) {
    this.#deps = deps;
  }

  /**
   * Ends all that is paid, or could be, and returns what there was. It may be repeated.
   * @throws ProviderUnavailable, ProviderRefused
   */
  async leave(scope: OrgScope): Promise<{ ended: number }> {
    const { provider, plans, accounts, checkouts } = this.#deps;
    const account = await accounts.find(scope.db, scope.orgId);
    if (!isCustomer(account)) return { ended: 0 };
    if (!provider) {
      if (!payingStatuses.some((status) => status === account.status)) return { ended: 0 };
      throw new ProviderUnavailable(
        'The workspace has a subscription, and PARLEY_STRIPE_SECRET_KEY is not set any more.',
      );
    }
    for (const { sessionId } of await checkouts.listFollowed(scope))
      if (sessionId !== null) await provider.expireCheckout(sessionId);
    const left = (await provider.listSubscriptions(account.customerId)).filter(
      (each) => each.state !== 'ended' && isOfPlan(account, each, plans),
    );
    for (const { id } of left) await provider.endSubscription(id);
    return { ended: left.length };
  }
}
