import type { Plans } from '../../core/billing/plans.ts';
import { lockName } from '../../database/advisory-lock.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { QuotaUsageRepository } from '../../repositories/usage/quota-usage.repository.ts';
import type { QuotaKind } from '../../repositories/usage/quota-usage.sql.ts';
import type { QuotaUsage } from './quota-usage.ts';
import { quotaExceeded } from './quota-exceeded.ts';

export interface QuotasDeps {
  plans: Plans;
  orgs: OrgRepository;
  quotaUsage: QuotaUsageRepository;
}

/**
 * Checks the plans' limits of bots, documents and seats. Each check locks the payer's quota of that kind
 * until the transaction ends, so that two transactions cannot exceed the limit together. Callers must lock
 * other rows first.
 */
export class Quotas {
  readonly #deps: QuotasDeps;

  constructor(deps: QuotasDeps) {
    this.#deps = deps;
  }

  /**
   * Locks the payer's quota of a resource in the caller's transaction. Returns the limit and the current
   * number, or null if the plan does not limit this kind.
   */
  async lockUsage(scope: OrgScope, kind: QuotaKind): Promise<QuotaUsage | null> {
    const { plans, orgs, quotaUsage } = this.#deps;
    if (!plans.isEnforced) return null;
    const { payerId, planTier } = await orgs.getPlan(scope);
    const limit = plans.getLimits(planTier)[kind];
    if (limit === null) return null;
    await lockName(scope.db, `quota ${kind} ${payerId}`);
    return { limit, used: await quotaUsage.countForPayer(scope.db, payerId, kind), payerId };
  }

  /** @throws AppError `quota_exceeded` if the plan does not allow `added` more resources of this kind */
  async require(scope: OrgScope, kind: QuotaKind, added = 1): Promise<void> {
    const usage = await this.lockUsage(scope, kind);
    if (usage && usage.used + added > usage.limit) throw quotaExceeded(scope, kind, usage, added);
  }

  /**
   * Checks the quota of a resource in a transaction of its own, before work that takes longer.
   * @throws AppError like `require`
   */
  check(scope: OrgScope, kind: QuotaKind, added = 1): Promise<void> {
    return inTransaction(scope, (tx) => this.require(tx, kind, added));
  }

  /**
   * Runs work that may give a person a seat in the workspace, then checks the plan's limit of seats. A person
   * who already has a seat needs no further seat.
   * @throws AppError `quota_exceeded` if the work has taken a seat beyond the limit
   */
  async withSeatCheck<T>(scope: OrgScope, work: () => Promise<T>): Promise<T> {
    const usage = await this.lockUsage(scope, 'seats');
    const result = await work();
    if (!usage) return result;
    const usedSeats = await this.#deps.quotaUsage.countForPayer(scope.db, usage.payerId, 'seats');
    if (usedSeats > usage.used && usedSeats > usage.limit) throw quotaExceeded(scope, 'seats', usage);
    return result;
  }
}
