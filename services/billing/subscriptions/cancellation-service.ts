import type { PaymentProvider } from '../../../adapters/billing/payment-provider.ts';
import type { Plans } from '../../../core/billing/plans.ts';
import { AppError } from '../../../core/errors/errors.ts';
import type { Logger } from '../../../core/logger.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import { grantsTier } from '../../../entities/billing/billing-account.entity.ts';
import type { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { PayerRepository } from '../../../repositories/billing/payer.repository.ts';
import type { BillingSync } from './billing-sync.ts';
import type { CheckoutPages } from '../checkouts/checkout-pages.ts';
import { isPlanSubscription } from './plan-subscriptions.ts';
import { isCustomer, type CustomerAccount } from '../customers.ts';
import { callProvider } from '../provider-access.ts';
import { requirePayer } from '../checkouts/require-payer.ts';

export interface CancellationServiceDeps {
  provider: PaymentProvider | undefined;
  payers: PayerRepository;
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  plans: Plans;
  sync: BillingSync;
  pages: CheckoutPages;
  log: Logger;
}

export class CancellationService {
  readonly #deps: CancellationServiceDeps;

  constructor(deps: CancellationServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Cancels the payer's subscription at the end of the paid period, or at once if it is unpaid. Idempotent.
   * Never call this within a transaction.
   * @throws AppError `conflict` if the workspace has no subscription; `not_ready` if the payment provider is
   *   unavailable
   */
  async cancel(scope: OrgScope): Promise<void> {
    const { provider, payers, log } = this.#deps;
    await requirePayer(scope, payers);
    if (!provider) throw createNoSubscriptionError();
    await callProvider(log, async () => {
      const account = await this.#loadSynced(scope);
      const { subscriptionId, endsAt, version } = account;
      if (!grantsTier(account.status)) return this.#endUnpaid(scope, account, provider);
      if (endsAt !== null || subscriptionId === null) return;
      await this.#closePlanChange(scope, provider);
      await provider.setCancelAtPeriodEnd(subscriptionId, true, `parley/cancel/${scope.orgId}-${version}`);
      await this.#deps.sync.run(scope);
    });
  }

  /**
   * Syncs the workspace's billing account with the payment provider and returns the account.
   * @throws AppError `conflict` if the payer has no subscription
   */
  async #loadSynced(scope: OrgScope): Promise<CustomerAccount> {
    await this.#deps.sync.run(scope);
    const account = await this.#deps.accounts.find(scope.db, scope.orgId);
    if (!isCustomer(account)) throw createNoSubscriptionError();
    return account;
  }

  /**
   * Ends unpaid subscriptions at once. If they stayed open, the payment provider would charge again, and the
   * payer could still pay.
   */
  async #endUnpaid(scope: OrgScope, account: CustomerAccount, provider: PaymentProvider): Promise<void> {
    const { plans, sync } = this.#deps;
    const listed = await provider.listSubscriptions(account.customerId);
    const openSubscriptions = listed.filter(
      (each) => each.state !== 'ended' && isPlanSubscription(account, each, plans),
    );
    if (openSubscriptions.length === 0) throw createNoSubscriptionError();
    for (const { id } of openSubscriptions) await provider.endSubscription(id);
    await sync.run(scope);
  }

  /**
   * Closes an open checkout that changes the plan, because confirming it later would undo the cancellation.
   */
  async #closePlanChange(scope: OrgScope, provider: PaymentProvider): Promise<void> {
    const openCheckout = await this.#deps.checkouts.findPlanCheckout(scope);
    if (openCheckout) await this.#deps.pages.close(scope, openCheckout, provider);
  }
}

function createNoSubscriptionError(): AppError {
  return new AppError('conflict', 'The workspace has no subscription to cancel.');
}
