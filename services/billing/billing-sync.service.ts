import type { PaymentProvider } from '../../adapters/billing/payment-provider.ts';
import type { Plans } from '../../core/billing/plans.ts';
import type { Clock } from '../../core/clock.ts';
import { SharedRuns } from '../../core/concurrency/shared-runs.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../repositories/billing/checkout.repository.ts';
import { isCustomer, type Customers } from './customers.service.ts';
import { judgeBilling, type BillingVerdict } from './judge-billing.ts';
import { readProviderFacts } from './provider-facts.ts';
import type { SyncWriter } from './sync-writer.ts';

/** Others may take over what they were told at the same time, each once in a round. */
const MOST_ROUNDS = 50;

export interface BillingSyncDeps {
  provider: PaymentProvider | undefined;
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  customers: Customers;
  writer: SyncWriter;
  plans: Plans;
  clock: Clock;
}

/**
 * Keeps what is known of a payer as it is at the provider. What events say is never taken over: all is asked afresh, and
 * written down only if nobody has done so since, so that they may come in any order and as often as they like.
 */
export class BillingSync {
  readonly #deps: BillingSyncDeps;
  readonly #runs = new SharedRuns<boolean>();

  constructor(deps: BillingSyncDeps) {
    this.#deps = deps;
  }

  /** Returns whether the provider knows the payer. Not within a transaction. @throws ProviderUnavailable, ProviderRefused */
  run(scope: OrgScope): Promise<boolean> {
    return this.#runs.run(scope.orgId, () => this.#untilSettled(scope));
  }

  async #untilSettled(scope: OrgScope): Promise<boolean> {
    const { provider, accounts, checkouts, customers, writer, plans, clock } = this.#deps;
    for (let round = 1; round <= MOST_ROUNDS; round += 1) {
      const account = await accounts.find(scope.db, scope.orgId);
      if (!provider || !isCustomer(account)) return false;
      await customers.followProfile(scope, account, provider);
      const rows = await checkouts.listFollowed(scope);
      const facts = await readProviderFacts(provider, account, rows);
      const verdict = judgeBilling(account, facts, { plans, now: clock.now() });
      const isWritten = await writer.write(scope, account.version, facts, verdict);
      if (isWritten && !(await act(provider, verdict))) return true;
    }
    throw new Error(`Payer ${scope.orgId} has changed too often to be compared with the provider.`);
  }
}

/** Returns whether there was anything to do. Each may be done twice. */
async function act(
  provider: PaymentProvider,
  { toEnd, toRefund, toResume }: BillingVerdict,
): Promise<boolean> {
  for (const id of toEnd) await provider.endSubscription(id);
  for (const id of toRefund) await provider.refund(id, `parley/refund/${id}`);
  if (toResume)
    await provider.setEnding(toResume.subscriptionId, false, `parley/resume/${toResume.checkoutId}`);
  return toEnd.length > 0 || toRefund.length > 0 || toResume !== null;
}
