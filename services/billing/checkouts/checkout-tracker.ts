import type { Clock } from '../../../core/clock.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import { unfinishedStates, type CheckoutState } from '../../../entities/billing/checkout.entity.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { BillingSync } from '../subscriptions/billing-sync.ts';

/**
 * Time in milliseconds between the expiry of a payment page at the provider and the next check of its
 * checkout.
 */
const MARGIN_MS = 30_000;
/**
 * Interval in milliseconds between checks of payments that take days, such as bank debits. The checks find a
 * payment if the provider's event is lost.
 */
const PAYING_PAUSE_MS = 6 * 60 * 60_000;

export interface CheckoutProgress {
  state: CheckoutState;
  isFinished: boolean;
  /** Milliseconds until the next check of the checkout. */
  waitMs: number;
}

export interface CheckoutTrackerDeps {
  checkouts: CheckoutRepository;
  sync: BillingSync;
  clock: Clock;
}

/** Checks whether checkouts were paid or have expired. */
export class CheckoutTracker {
  readonly #deps: CheckoutTrackerDeps;

  constructor(deps: CheckoutTrackerDeps) {
    this.#deps = deps;
  }

  /**
   * Syncs the payer with the payment provider and returns the checkout's state; null if the checkout does not
   * exist.
   * @throws ProviderUnavailable, ProviderRefused
   */
  async checkProgress(scope: OrgScope, checkoutId: string): Promise<CheckoutProgress | null> {
    const { checkouts, sync, clock } = this.#deps;
    if ((await checkouts.find(scope, checkoutId)) === null) return null;
    await sync.run(scope);
    const row = await checkouts.find(scope, checkoutId);
    if (!row) return null;
    const isUnfinished = unfinishedStates.some((state) => state === row.state);
    const leftMs = row.expiresAt.getTime() - clock.now().getTime();
    return {
      state: row.state,
      isFinished: !isUnfinished && row.state !== 'paying',
      waitMs: isUnfinished ? Math.max(0, leftMs) + MARGIN_MS : PAYING_PAUSE_MS,
    };
  }
}
