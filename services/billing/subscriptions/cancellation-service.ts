import type { PaymentProvider } from '../../../adapters/billing/payment-provider.ts';
import type { Plans } from '../../../core/billing/plans.ts';
import { AppError } from '../../../core/errors/errors.ts';
import type { Logger } from '../../../core/logger.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import { payingStatuses } from '../../../entities/billing/billing-account.entity.ts';
import type { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { PayerRepository } from '../../../repositories/billing/payer.repository.ts';
import type { BillingSync } from './billing-sync.ts';
import type { CheckoutPages } from '../checkouts/checkout-pages.ts';
import { isOfPlan } from './counted-subscriptions.ts';
import { isCustomer, type CustomerAccount } from '../customers.ts';
import { forCaller } from '../provider-for-callers.ts';
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

/** The end of subscriptions. */
export class CancellationService {
  readonly #deps: CancellationServiceDeps;

  constructor(deps: CancellationServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Has the subscription end with the paid period, or at once where it is not paid; one that does already stays as it is. Not within a transaction.
   * @throws AppError `conflict` where there is none, `not_ready`
   */
  async cancel(scope: OrgScope): Promise<void> {
    const { provider, payers, log } = this.#deps;
    await requirePayer(scope, payers);
    if (!provider) throw nothingToCancel();
    await forCaller(log, async () => {
      const account = await this.#present(scope);
      const { subscriptionId, endsAt, version } = account;
      if (!isPaying(account)) return this.#endUnpaid(scope, account, provider);
      if (endsAt !== null || subscriptionId === null) return;
      await this.#closePlanChange(scope, provider);
      await provider.setEnding(subscriptionId, true, `parley/cancel/${scope.orgId}-${version}`);
      await this.#deps.sync.run(scope);
    });
  }

  /** As the provider has it now. @throws AppError `conflict` */
  async #present(scope: OrgScope): Promise<CustomerAccount> {
    await this.#deps.sync.run(scope);
    const account = await this.#deps.accounts.find(scope.db, scope.orgId);
    if (!isCustomer(account)) throw nothingToCancel();
    return account;
  }

  /** What gives no tier, as it is not paid, would be tried again by the provider, or paid by a page of it. */
  async #endUnpaid(scope: OrgScope, account: CustomerAccount, provider: PaymentProvider): Promise<void> {
    const { plans, sync } = this.#deps;
    const listed = await provider.listSubscriptions(account.customerId);
    const left = listed.filter((each) => each.state !== 'ended' && isOfPlan(account, each, plans));
    if (left.length === 0) throw nothingToCancel();
    for (const { id } of left) await provider.endSubscription(id);
    await sync.run(scope);
  }

  /** Whoever confirms another tier after all does not take the cancellation back by it. */
  async #closePlanChange(scope: OrgScope, provider: PaymentProvider): Promise<void> {
    const open = await this.#deps.checkouts.findPlan(scope);
    if (open) await this.#deps.pages.close(scope, open, provider);
  }
}

function isPaying({ status }: Pick<CustomerAccount, 'status'>): boolean {
  return payingStatuses.some((each) => each === status);
}

function nothingToCancel(): AppError {
  return new AppError('conflict', 'The workspace has no subscription that could be cancelled.');
}
