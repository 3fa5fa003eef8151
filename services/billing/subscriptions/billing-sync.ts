import {
  ProviderRefused,
  ProviderUnavailable,
  type PaymentProvider,
} from '../../../adapters/billing/payment-provider.ts';
import type { Plans } from '../../../core/billing/plans.ts';
import type { Clock } from '../../../core/clock.ts';
import { CoalescedRuns } from '../../../core/concurrency/coalesced-runs.ts';
import type { Logger } from '../../../core/logger.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import { grantsTier } from '../../../entities/billing/billing-account.entity.ts';
import type { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import { isCustomer, type CustomerAccount, type Customers } from '../customers.ts';
import { computeBillingChanges, type BillingChanges } from '../billing-changes.ts';
import { readProviderFacts } from '../provider-facts.ts';
import type { SyncWriter } from './sync-writer.ts';

/**
 * Maximum number of attempts to sync a payer's billing data. An attempt fails if another process writes
 * concurrently.
 */
const MAX_ROUNDS = 50;

export interface BillingSyncDeps {
  provider: PaymentProvider | undefined;
  orgs: Pick<OrgRepository, 'findUndeletedLocked'>;
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  customers: Customers;
  writer: SyncWriter;
  plans: Plans;
  clock: Clock;
  log: Logger;
}

/**
 * Syncs a payer's data from the payment provider. Each sync reads everything, and stores it only if no other
 * sync has written meanwhile. Events may therefore arrive in any order, and more than once.
 */
export class BillingSync {
  readonly #deps: BillingSyncDeps;
  readonly #runs = new CoalescedRuns<boolean>();

  constructor(deps: BillingSyncDeps) {
    this.#deps = deps;
  }

  /**
   * Syncs the payer's billing data. Returns false if the payer is not a customer at the payment provider.
   * Never call this within a transaction.
   * @throws ProviderUnavailable, ProviderRefused
   */
  run(scope: OrgScope): Promise<boolean> {
    return this.#runs.run(scope.orgId, () => this.#syncUntilStable(scope));
  }

  async #syncUntilStable(scope: OrgScope): Promise<boolean> {
    const { provider, orgs, accounts, checkouts, customers, writer, plans, clock } = this.#deps;
    const tried = new Set<string>();
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const account = await accounts.find(scope.db, scope.orgId);
      if (!provider || !isCustomer(account)) return false;
      // Do not record payments of a deleted workspace, because they are refunded.
      if (!(await inTransaction(scope, (tx) => orgs.findUndeletedLocked(tx)))) return false;
      await customers.syncProfile(scope, account, provider);
      const rows = await checkouts.listFollowed(scope);
      const facts = await readProviderFacts(provider, account, rows);
      const changes = computeBillingChanges(account, facts, { plans, now: clock.now() });
      const isWritten = await writer.write(scope, account.version, facts, changes);
      if (!isWritten) continue;
      this.#warnAboutUnknownPrice(scope.orgId, changes);
      const actions = listActions(provider, changes, account.version).filter(({ name }) => !tried.has(name));
      for (const { name } of actions) tried.add(name);
      if (!(await this.#runActions(account, actions))) return true;
    }
    throw new ProviderUnavailable(`Payer ${scope.orgId} has changed too often during its sync with Stripe.`);
  }

  #warnAboutUnknownPrice(orgId: string, { fields: { status, paidTier, priceId } }: BillingChanges): void {
    if (grantsTier(status) && paidTier === 'free')
      this.#deps.log.warn({ orgId, priceId }, 'subscription has a price that is not configured for any plan');
  }

  /**
   * Performs actions at the payment provider. Returns true if any action succeeded. The next sync retries
   * actions that the provider refuses.
   */
  async #runActions({ orgId }: CustomerAccount, actions: readonly ProviderAction[]): Promise<boolean> {
    let isAnyDone = false;
    for (const { name, run } of actions) {
      try {
        await run();
        isAnyDone = true;
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        this.#deps.log.error({ err: error, orgId, name }, 'payment provider refused an action of the sync');
      }
    }
    return isAnyDone;
  }
}

/** An idempotent action at the payment provider. */
interface ProviderAction {
  name: string;
  run: () => Promise<void>;
}

/**
 * @param version version of the billing account. It is part of the idempotency keys, so that the provider
 *   does not return its response to an earlier attempt
 */
function listActions(
  provider: PaymentProvider,
  { toEnd, toRefund, toResume }: BillingChanges,
  version: number,
): ProviderAction[] {
  const ends = toEnd.map((id) => ({ name: `end/${id}`, run: () => provider.endSubscription(id) }));
  const refunds = toRefund.map((id) => ({
    name: `refund/${id}`,
    run: () => provider.refund(id, `parley/refund/${id}/${version}`),
  }));
  if (!toResume) return [...ends, ...refunds];
  const { subscriptionId, checkoutId } = toResume;
  const key = `parley/resume/${checkoutId}/${version}`;
  const resume = () => provider.setCancelAtPeriodEnd(subscriptionId, false, key);
  return [...ends, ...refunds, { name: `resume/${subscriptionId}`, run: resume }];
}
