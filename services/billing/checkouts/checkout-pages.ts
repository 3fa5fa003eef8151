import type { PaymentProvider, ReturnUrls } from '../../../adapters/billing/payment-provider.ts';
import { buildConsoleLink } from '../../../core/console-link.ts';
import type { Plans, Product } from '../../../core/billing/plans.ts';
import { AppError } from '../../../core/errors/errors.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Checkout } from '../../../entities/billing/checkout.entity.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import type { CustomerAccount } from '../customers.ts';

export interface CheckoutPagesDeps {
  orgs: Pick<OrgRepository, 'findUndeletedLocked'>;
  checkouts: CheckoutRepository;
  plans: Plans;
  baseUrl: string;
}

interface ProviderAccount {
  account: CustomerAccount;
  provider: PaymentProvider;
}

/** Creates and closes the pages on which payers pay at the payment provider. */
export class CheckoutPages {
  readonly #deps: CheckoutPagesDeps;

  constructor(deps: CheckoutPagesDeps) {
    this.#deps = deps;
  }

  /** Creates the payment page or plan change for a checkout. @throws ProviderUnavailable, ProviderRefused */
  async createPage(scope: OrgScope, row: Checkout, buyer: ProviderAccount): Promise<void> {
    if (row.kind === 'session') await this.#createSession(scope, row, buyer);
    else if (row.kind === 'change') await this.#createChange(scope, row, buyer);
    else await this.#continueSubscription(scope, row, buyer);
  }

  /**
   * Closes a checkout that is replaced by another checkout. A checkout that was paid already stays open, and
   * the next sync completes it.
   * @throws ProviderUnavailable, ProviderRefused
   */
  async close(scope: OrgScope, row: Checkout, provider: PaymentProvider): Promise<void> {
    if (row.sessionId !== null) {
      await provider.expireCheckout(row.sessionId);
      const { state } = await provider.getCheckout(row.sessionId);
      if (state !== 'expired') return;
    }
    await this.#deps.checkouts.updateState(scope, row.id, { state: 'expired' });
  }

  async #createSession(
    scope: OrgScope,
    row: Checkout,
    { account, provider }: ProviderAccount,
  ): Promise<void> {
    const session = await provider.createCheckout({
      key: `parley/checkout/${row.id}`,
      customerId: account.customerId,
      orgId: scope.orgId,
      checkoutId: row.id,
      product: row.product,
      priceId: this.#requirePriceId(row.product),
      quantity: row.quantity,
      isSubscription: row.product !== 'topup',
      expiresAt: row.expiresAt,
      ...this.#returnUrls(scope, row),
    });
    const { id: sessionId, url, expiresAt } = session;
    if (await this.#storePage(scope, row.id, { sessionId, url, expiresAt })) return;
    // The checkout was replaced, or its workspace deleted: expire its page at the payment provider. Keep the
    // page if a concurrent request has stored the same page.
    const current = await this.#deps.checkouts.find(scope, row.id);
    if (current?.sessionId !== sessionId) await provider.expireCheckout(sessionId);
  }

  /**
   * Stores the provider's payment page with the checkout. Returns false if the workspace was deleted or the
   * checkout replaced.
   */
  #storePage(
    scope: OrgScope,
    id: string,
    page: Pick<Checkout, 'sessionId' | 'url' | 'expiresAt'>,
  ): Promise<boolean> {
    const { orgs, checkouts } = this.#deps;
    return inTransaction(scope, async (tx) =>
      (await orgs.findUndeletedLocked(tx)) ? checkouts.markOpen(tx, id, page) : false,
    );
  }

  async #createChange(scope: OrgScope, row: Checkout, { account, provider }: ProviderAccount): Promise<void> {
    const { checkouts, plans } = this.#deps;
    const subscription = await provider.getSubscription(account.subscriptionId ?? '');
    const url = await provider.createPlanChange({
      key: `parley/change/${row.id}`,
      customerId: account.customerId,
      subscription,
      priceId: this.#requirePriceId(row.product),
      priceIds: plans.listTierPriceIds(),
      ...this.#returnUrls(scope, row),
    });
    await checkouts.markOpen(scope, row.id, { sessionId: null, url, expiresAt: row.expiresAt });
  }

  async #continueSubscription(
    scope: OrgScope,
    row: Checkout,
    { account, provider }: ProviderAccount,
  ): Promise<void> {
    await provider.setCancelAtPeriodEnd(account.subscriptionId ?? '', false, `parley/resume/${row.id}`);
    const { returnUrl: url } = this.#returnUrls(scope, row);
    await this.#deps.checkouts.markOpen(scope, row.id, { sessionId: null, url, expiresAt: row.expiresAt });
  }

  #requirePriceId(product: Product): string {
    const { priceId } = this.#deps.plans.getPrice(product);
    if (priceId === undefined) throw new AppError('conflict', `"${product}" is not for sale here.`);
    return priceId;
  }

  /**
   * Builds the URLs to which the payment provider redirects the payer after the payment. The URLs contain the
   * checkout's id, so that the console shows the right payment.
   */
  #returnUrls({ orgId }: OrgScope, { id }: Checkout): ReturnUrls {
    const page = `${buildConsoleLink(this.#deps.baseUrl, orgId, ['billing'])}&checkout=${id}`;
    return { returnUrl: `${page}&outcome=done`, cancelUrl: `${page}&outcome=left` };
  }
}
