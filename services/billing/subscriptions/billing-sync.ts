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
import { payingStatuses } from '../../../entities/billing/billing-account.entity.ts';
import type { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import { isCustomer, type CustomerAccount, type Customers } from '../customers.ts';
import { judgeBilling, type BillingVerdict } from '../judge-billing.ts';
import { readProviderFacts } from '../provider-facts.ts';
import type { SyncWriter } from './sync-writer.ts';

/** Others may take over what they were told at the same time, each once in a round. */
const MOST_ROUNDS = 50;

export interface BillingSyncDeps {
  provider: PaymentProvider | undefined;
  orgs: Pick<OrgRepository, 'findOpenLocked'>;
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  customers: Customers;
  writer: SyncWriter;
  plans: Plans;
  clock: Clock;
  log: Logger;
}

/**
 * Keeps what is known of a payer as it is at the provider. What events say is never taken over: all is asked afresh, and
 * written down only if nobody has done so since, so that they may come in any order and as often as they like.
 */
export class BillingSync {
  readonly #deps: BillingSyncDeps;
  readonly #runs = new CoalescedRuns<boolean>();

  constructor(deps: BillingSyncDeps) {
    this.#deps = deps;
  }

  /** Returns whether the provider knows the payer. Not within a transaction. @throws ProviderUnavailable, ProviderRefused */
  run(scope: OrgScope): Promise<boolean> {
    return this.#runs.run(scope.orgId, () => this.#untilSettled(scope));
  }

  async #untilSettled(scope: OrgScope): Promise<boolean> {
    const { provider, orgs, accounts, checkouts, customers, writer, plans, clock } = this.#deps;
    const tried = new Set<string>();
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      const account = await accounts.find(scope.db, scope.orgId);
      if (!provider || !isCustomer(account)) return false;
      // What is still to be paid for a deleted workspace is given back, not taken over.
      if (!(await inTransaction(scope, (tx) => orgs.findOpenLocked(tx)))) return false;
      await customers.followProfile(scope, account, provider);
      const rows = await checkouts.listFollowed(scope);
      const facts = await readProviderFacts(provider, account, rows);
      const verdict = judgeBilling(account, facts, { plans, now: clock.now() });
      const isWritten = await writer.write(scope, account.version, facts, verdict);
      if (!isWritten) continue;
      this.#warnOfPrice(scope.orgId, verdict);
      const deeds = deedsOf(provider, verdict, account.version).filter(({ name }) => !tried.has(name));
      for (const { name } of deeds) tried.add(name);
      if (!(await this.#act(account, deeds))) return true;
    }
    throw new ProviderUnavailable(`Payer ${scope.orgId} has changed too often to be compared with Stripe.`);
  }

  #warnOfPrice(orgId: string, { fields: { status, paidTier, priceId } }: BillingVerdict): void {
    const isPaying = payingStatuses.some((each) => each === status);
    if (isPaying && paidTier === 'free')
      this.#deps.log.warn({ orgId, priceId }, 'a subscription has a price that no plan has');
  }

  /** Returns whether anything was done. What the provider refuses is tried again when the payer is looked at the next time. */
  async #act({ orgId }: CustomerAccount, deeds: readonly Deed[]): Promise<boolean> {
    let isAnyDone = false;
    for (const { name, run } of deeds) {
      try {
        await run();
        isAnyDone = true;
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        this.#deps.log.error({ err: error, orgId, name }, 'the payment provider refuses what has to be done');
      }
    }
    return isAnyDone;
  }
}

/** Something that the provider is to do; it may be done twice. */
interface Deed {
  name: string;
  run: () => Promise<void>;
}

/** @param version so that the provider does not repeat what it has said to an earlier attempt */
function deedsOf(
  provider: PaymentProvider,
  { toEnd, toRefund, toResume }: BillingVerdict,
  version: number,
): Deed[] {
  const ends = toEnd.map((id) => ({ name: `end/${id}`, run: () => provider.endSubscription(id) }));
  const refunds = toRefund.map((id) => ({
    name: `refund/${id}`,
    run: () => provider.refund(id, `parley/refund/${id}/${version}`),
  }));
  if (!toResume) return [...ends, ...refunds];
  const { subscriptionId, checkoutId } = toResume;
  const key = `parley/resume/${checkoutId}/${version}`;
  const run = () => provider.setEnding(subscriptionId, false, key);
  return [...ends, ...refunds, { name: `resume/${subscriptionId}`, run }];
}
