import {
  isIdempotencyKeyUsed,
  needsNewIdempotencyKey,
  ProviderRefused,
  type PaymentProvider,
} from '../../../adapters/billing/payment-provider.ts';
import type { Plans, Product } from '../../../core/billing/plans.ts';
import { AppError, invalidField, notFound } from '../../../core/errors/errors.ts';
import type { Clock } from '../../../core/clock.ts';
import { newId } from '../../../core/ids.ts';
import type { Logger } from '../../../core/logger.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import { grantsTier } from '../../../entities/billing/billing-account.entity.ts';
import type { Checkout, CheckoutKind } from '../../../entities/billing/checkout.entity.ts';
import type { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { PayerRepository } from '../../../repositories/billing/payer.repository.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { createCheckoutStart } from '../billing-commands.ts';
import type { BillingSync } from '../subscriptions/billing-sync.ts';
import type { CheckoutPages } from './checkout-pages.ts';
import { isCustomer, type CustomerAccount, type Customers } from '../customers.ts';
import { callProvider, requireProvider } from '../provider-access.ts';
import { requirePayer } from './require-payer.ts';

const LIFETIME_MS = 60 * 60_000;
/**
 * Maximum number of attempts to open a checkout while concurrent purchases keep replacing each other's
 * checkouts.
 */
const MAX_ROUNDS = 5;

export interface Purchase {
  product: Product;
  quantity: number;
  userId: string;
}

export interface CheckoutServiceDeps {
  provider: PaymentProvider | undefined;
  plans: Plans;
  payers: PayerRepository;
  orgs: Pick<OrgRepository, 'findUndeletedLocked'>;
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  customers: Customers;
  sync: BillingSync;
  pages: CheckoutPages;
  outbox: OutboxService;
  clock: Clock;
  log: Logger;
}

/**
 * Opens checkouts for purchases of plans and top-ups. The checkout's id is part of the idempotency keys sent
 * to the payment provider, so that a retry finds what the first attempt created.
 */
export class CheckoutService {
  readonly #deps: CheckoutServiceDeps;

  constructor(deps: CheckoutServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns an open checkout for this purchase; creates one if necessary. Never call this within a
   * transaction.
   * @throws AppError `validation_error`; `conflict`; `not_ready` if the payment provider is unavailable
   */
  async open(scope: OrgScope, purchase: Purchase): Promise<Checkout> {
    const { provider: configuredProvider, plans, payers, log } = this.#deps;
    if (purchase.product !== 'topup' && purchase.quantity > 1)
      throw invalidField('quantity', 'must be 1 for a tier');
    await requirePayer(scope, payers);
    const provider = requireProvider(configuredProvider);
    if (plans.getPrice(purchase.product).priceId === undefined)
      throw new AppError(
        'conflict',
        `"${purchase.product}" is not for sale here. The operator of this installation can set its price (price_id in PARLEY_PLANS).`,
      );
    return callProvider(log, () => this.#openWithRetries(scope, purchase, provider));
  }

  async #openWithRetries(scope: OrgScope, purchase: Purchase, provider: PaymentProvider): Promise<Checkout> {
    const { customers, pages } = this.#deps;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const account = await this.#loadSynced(scope, await customers.ensureCustomer(scope, provider));
      const kind = chooseKind(account, purchase.product);
      const { row, other } = await this.#claim(scope, purchase, kind);
      if (other) await pages.close(scope, other, provider);
      else {
        const page = await this.#createPage(scope, row, { account, provider });
        if (page) return page;
      }
    }
    throw new AppError('conflict', 'Another request is changing the plan; try again in a moment.');
  }

  /**
   * Syncs the billing account with the payment provider and returns it. Without the sync, a recent payment
   * may be missing.
   */
  async #loadSynced(scope: OrgScope, account: CustomerAccount): Promise<CustomerAccount> {
    await this.#deps.sync.run(scope);
    const existing = await this.#deps.accounts.find(scope.db, scope.orgId);
    return isCustomer(existing) ? existing : account;
  }

  /**
   * Returns the checkout for this purchase. If an open checkout for another purchase exists, returns that
   * checkout: the caller must close it first.
   */
  #claim(
    scope: OrgScope,
    { product, quantity, userId }: Purchase,
    kind: CheckoutKind,
  ): Promise<{ row: Checkout; other: null } | { row: null; other: Checkout }> {
    const { orgs, accounts, checkouts, outbox, clock } = this.#deps;
    return inTransaction(scope, async (tx) => {
      await accounts.lock(tx.db, tx.orgId);
      if (!(await orgs.findUndeletedLocked(tx))) throw notFound('workspace');
      const existing =
        product === 'topup'
          ? await checkouts.findTopupCheckout(tx, quantity)
          : await checkouts.findPlanCheckout(tx);
      if (existing && canReuse(existing, product, kind)) return { row: existing, other: null };
      if (existing) return { row: null, other: existing };
      const expiresAt = new Date(Math.floor((clock.now().getTime() + LIFETIME_MS) / 1000) * 1000);
      const row = await checkouts.insert(tx, {
        id: newId(),
        product,
        quantity,
        kind,
        expiresAt,
        createdById: userId,
      });
      await outbox.command(tx, createCheckoutStart(row));
      return { row, other: null };
    });
  }

  /**
   * Creates the payment provider's page for a checkout. Returns null if the checkout has expired or was
   * replaced by another purchase.
   */
  async #createPage(
    scope: OrgScope,
    row: Checkout,
    { account, provider }: { account: CustomerAccount; provider: PaymentProvider },
  ): Promise<Checkout | null> {
    const { pages, sync, checkouts, clock } = this.#deps;
    if (row.state === 'open') return row;
    try {
      await pages.createPage(scope, row, { account, provider });
    } catch (error) {
      // A checkout that a crashed process has left behind would expire too soon for a payment.
      const isStale = row.expiresAt.getTime() - clock.now().getTime() < LIFETIME_MS / 2;
      if (!needsNewIdempotencyKey(error)) throw error;
      await checkouts.updateState(scope, row.id, { state: 'expired' });
      if (isIdempotencyKeyUsed(error) || (error instanceof ProviderRefused && isStale)) return null;
      throw error;
    }
    if (row.kind === 'resume') await sync.run(scope);
    const created = await checkouts.find(scope, row.id);
    const isUsable = created !== null && (created.state === 'open' || created.state === 'completed');
    return isUsable ? created : null;
  }
}

/**
 * Returns how the payer buys the product: on a payment page, by a change of the plan, or by resuming the
 * subscription.
 * @throws AppError `conflict` if the payer already has this plan
 */
function chooseKind({ status, paidTier, endsAt }: CustomerAccount, product: Product): CheckoutKind {
  if (product === 'topup' || !grantsTier(status)) return 'session';
  if (paidTier !== product) return 'change';
  if (endsAt !== null) return 'resume';
  throw new AppError('conflict', `The workspace already has the plan ${product}.`);
}

/**
 * Returns true if the open checkout can serve this purchase. Pages that confirm a plan change expire within
 * minutes, so they are never reused.
 */
function canReuse(row: Checkout, product: Product, kind: CheckoutKind): boolean {
  const isSame = row.product === product && row.kind === kind;
  return isSame && (kind === 'session' || row.state === 'preparing');
}
