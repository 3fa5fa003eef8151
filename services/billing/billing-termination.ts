import {
  ProviderRefused,
  ProviderUnavailable,
  type PaymentProvider,
} from '../../adapters/billing/payment-provider.ts';
import type { Plans } from '../../core/billing/plans.ts';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { grantsTier } from '../../entities/billing/billing-account.entity.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../repositories/billing/checkout.repository.ts';
import { isPlanSubscription } from './subscriptions/plan-subscriptions.ts';
import { isCustomer, type CustomerAccount } from './customers.ts';

export interface BillingTerminationDeps {
  provider: PaymentProvider | undefined;
  plans: Plans;
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  log: Logger;
}

/** Ends subscriptions, checkouts and payments of a workspace that is being deleted. */
export class BillingTermination {
  readonly #deps: BillingTerminationDeps;

  constructor(deps: BillingTerminationDeps) {
    this.#deps = deps;
  }

  /**
   * Ends all subscriptions and open checkouts of the workspace, and refunds payments for which nothing was
   * delivered. Idempotent.
   * @returns the number of subscriptions that were ended
   * @throws ProviderUnavailable, ProviderRefused
   */
  async endBilling(scope: OrgScope): Promise<{ ended: number }> {
    const { provider, plans, accounts, checkouts } = this.#deps;
    const account = await accounts.find(scope.db, scope.orgId);
    if (!isCustomer(account)) return { ended: 0 };
    if (!provider) {
      if (!grantsTier(account.status)) return { ended: 0 };
      throw new ProviderUnavailable(
        'The workspace has a subscription, but PARLEY_STRIPE_SECRET_KEY is no longer set.',
      );
    }
    const rows = await checkouts.listFollowed(scope);
    for (const { sessionId } of rows) if (sessionId !== null) await provider.expireCheckout(sessionId);
    const listed = await provider.listSubscriptions(account.customerId);
    const planSubscriptions = listed.filter((each) => isPlanSubscription(account, each, plans));
    const remaining = planSubscriptions.filter(({ state }) => state !== 'ended');
    for (const { id } of remaining) await provider.endSubscription(id);
    const sessions = await Promise.all(
      rows.flatMap(({ sessionId }) => (sessionId === null ? [] : provider.getCheckout(sessionId))),
    );
    const newSubscriptions = planSubscriptions.filter(
      ({ id }) => id !== account.subscriptionId && !(id in account.otherSubscriptions),
    );
    await this.#refund(account, provider, {
      paymentIds: sessions.flatMap(({ paymentId }) => paymentId ?? []),
      subscriptionIds: newSubscriptions.map(({ id }) => id),
    });
    return { ended: remaining.length };
  }

  /**
   * Refunds payments for which the workspace has received no plan or messages.
   * @throws ProviderUnavailable while a payment is pending, so that the caller retries
   */
  async #refund(
    { customerId, orgId }: CustomerAccount,
    provider: PaymentProvider,
    { paymentIds, subscriptionIds }: { paymentIds: string[]; subscriptionIds: string[] },
  ): Promise<void> {
    const invoices = await provider.listInvoices(customerId);
    const matching = invoices.filter(({ subscriptionId }) => subscriptionIds.includes(subscriptionId ?? ''));
    const paymentIdsToRefund = new Set([...paymentIds, ...matching.flatMap((invoice) => invoice.paymentIds)]);
    const charges = await provider.listCharges(customerId);
    for (const { paymentId, state, amountCents, refundedCents } of charges) {
      if (state !== 'paid' || !paymentIdsToRefund.has(paymentId) || refundedCents >= amountCents) continue;
      try {
        await provider.refund(paymentId, `parley/leave/${paymentId}/${newId()}`);
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        this.#deps.log.error({ err: error, orgId, paymentId }, 'payment provider refused a refund');
      }
    }
    if (charges.some(({ state }) => state === 'pending'))
      throw new ProviderUnavailable(
        'A payment for the workspace is pending; it is refunded once it arrives.',
      );
  }
}
