import type { Plans } from '../../core/billing/plans.ts';
import { monthOf } from '../../core/months.ts';
import { lockName } from '../../database/advisory-lock.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { AlertMessageRepository } from '../../repositories/alerts/alert-message.repository.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { HoldingsRepository } from '../../repositories/usage/holdings.repository.ts';
import type { UsageRepository } from '../../repositories/usage/usage.repository.ts';

export interface AlertQuotaDeps {
  plans: Plans;
  orgs: OrgRepository;
  holdings: HoldingsRepository;
  usage: Pick<UsageRepository, 'today' | 'sumOfHierarchy'>;
  messages: Pick<AlertMessageRepository, 'countUnsent'>;
}

/** How many messages in messaging apps a plan has in a month. */
export class AlertQuota {
  readonly #deps: AlertQuotaDeps;

  constructor(deps: AlertQuotaDeps) {
    this.#deps = deps;
  }

  /**
   * Why another message may not go out, or null. What is on its way counts as well. Others who ask wait until the caller's
   * transaction, which queues the message, ends.
   */
  async objection({ db, orgId }: OrgScope): Promise<string | null> {
    const { plans, orgs, holdings, usage, messages } = this.#deps;
    if (!plans.isEnforced) return null;
    const { payerId, planTier } = await orgs.getPlan({ db, orgId });
    const limit = plans.limitsOf(planTier).alerts_per_month;
    if (limit === null) return null;
    await lockName(db, `quota alerts ${payerId}`);
    // In this order: one that is handed over in between counts twice rather than not at all.
    const unsent = await messages.countUnsent(db, await holdings.listPaidFor(db, payerId));
    const { alerts: sent } = await usage.sumOfHierarchy(db, payerId, monthOf(await usage.today(db)));
    const isFull = sent + unsent >= limit;
    return isFull ? `The plan’s limit of ${limit} alerts a month is reached.` : null;
  }
}
