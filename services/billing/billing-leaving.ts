import {
  ProviderRefused,
  ProviderUnavailable,
  type PaymentProvider,
} from '../../adapters/billing/payment-provider.ts';
import type { Plans } from '../../core/billing/plans.ts';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { payingStatuses } from '../../entities/billing/billing-account.entity.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../repositories/billing/checkout.repository.ts';
import { isOfPlan } from './subscriptions/counted-subscriptions.ts';
import { isCustomer, type CustomerAccount } from './customers.ts';

export interface BillingLeavingDeps {
  provider: PaymentProvider | undefined;
  plans: Plans;
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  log: Logger;
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
    const rows = await checkouts.listFollowed(scope);
    for (const { sessionId } of rows) if (sessionId !== null) await provider.expireCheckout(sessionId);
    const listed = await provider.listSubscriptions(account.customerId);
    const ours = listed.filter((each) => isOfPlan(account, each, plans));
    const left = ours.filter(({ state }) => state !== 'ended');
    for (const { id } of left) await provider.endSubscription(id);
    const sessions = await Promise.all(
      rows.flatMap(({ sessionId }) => (sessionId === null ? [] : provider.getCheckout(sessionId))),
    );
    const begun = ours.filter(
      ({ id }) => id !== account.subscriptionId && !(id in account.otherSubscriptions),
    );
    await this.#giveBack(account, provider, {
      paymentIds: sessions.flatMap(({ paymentId }) => paymentId ?? []),
      subscriptionIds: begun.map(({ id }) => id),
    });
    return { ended: left.length };
  }

  /**
   * What was paid for, and never given.
   * @throws ProviderUnavailable while a payment takes its days
   */
  async #giveBack(
    { customerId, orgId }: CustomerAccount,
    provider: PaymentProvider,
    { paymentIds, subscriptionIds }: { paymentIds: string[]; subscriptionIds: string[] },
  ): Promise<void> {
    const invoices = await provider.listInvoices(customerId);
    const ofInvoices = invoices.filter(({ subscriptionId }) =>
      subscriptionIds.includes(subscriptionId ?? ''),
    );
    const wanted = new Set([...paymentIds, ...ofInvoices.flatMap((invoice) => invoice.paymentIds)]);
    const charges = await provider.listCharges(customerId);
    for (const { paymentId, state, amountCents, refundedCents } of charges) {
      if (state !== 'paid' || !wanted.has(paymentId) || refundedCents >= amountCents) continue;
      try {
        await provider.refund(paymentId, `parley/leave/${paymentId}/${newId()}`);
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        this.#deps.log.error({ err: error, orgId, paymentId }, 'the payment provider refuses a refund');
      }
    }
    if (charges.some(({ state }) => state === 'pending'))
      throw new ProviderUnavailable(
        'A payment for the workspace is under way; it is given back once it arrives.',
      );
  }
}
