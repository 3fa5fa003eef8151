import type { Plans } from '../../core/billing/plans.ts';
import { lockName } from '../../database/advisory-lock.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { HoldingsRepository } from '../../repositories/usage/holdings.repository.ts';
import type { HoldingKind } from '../../repositories/usage/holdings.sql.ts';
import type { HoldingRoom } from './holding-room.ts';
import { quotaExceeded } from './quota-exceeded.ts';

export interface QuotasDeps {
  plans: Plans;
  orgs: OrgRepository;
  holdings: HoldingsRepository;
}

/**
 * Limits of what workspaces keep. Whoever makes something within one holds the lock of the payer and the kind until the end of the
 * transaction, so that two never take the last place. Rows are locked before.
 */
export class Quotas {
  readonly #deps: QuotasDeps;

  constructor(deps: QuotasDeps) {
    this.#deps = deps;
  }

  /** Null where nothing limits it. It takes the caller's transaction. */
  async room(scope: OrgScope, kind: HoldingKind): Promise<HoldingRoom | null> {
    const { plans, orgs, holdings } = this.#deps;
    if (!plans.isEnforced) return null;
    const { payerId, planTier } = await orgs.getPlan(scope);
    const limit = plans.limitsOf(planTier)[kind];
    if (limit === null) return null;
    await lockName(scope.db, `quota ${kind} ${payerId}`);
    return { limit, used: await holdings.countPaidFor(scope.db, payerId, kind), payerId };
  }

  /** @throws AppError `quota_exceeded` where there is no room for one more */
  async require(scope: OrgScope, kind: HoldingKind): Promise<void> {
    const room = await this.room(scope, kind);
    if (room && room.used >= room.limit) throw quotaExceeded(scope, kind, room);
  }

  /** As `require`, for whoever only begins something that will take the room. */
  check(scope: OrgScope, kind: HoldingKind): Promise<void> {
    return inTransaction(scope, (inside) => this.require(inside, kind));
  }

  /**
   * Does what may take a seat, or may not: for somebody who has one already it takes none.
   * @throws AppError `quota_exceeded` where it takes one more than there are
   */
  async seating<T>(scope: OrgScope, work: () => Promise<T>): Promise<T> {
    const room = await this.room(scope, 'seats');
    const done = await work();
    if (!room) return done;
    const used = await this.#deps.holdings.countPaidFor(scope.db, room.payerId, 'seats');
    if (used > room.used && used > room.limit) throw quotaExceeded(scope, 'seats', room);
    return done;
  }
}
