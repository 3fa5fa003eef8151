import type { Plans } from '../../core/billing/plans.ts';
import { toMonthRange } from '../../core/months.ts';
import { lockName } from '../../database/advisory-lock.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { AlertMessageRepository } from '../../repositories/alerts/alert-message.repository.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { QuotaUsageRepository } from '../../repositories/usage/quota-usage.repository.ts';
import type { UsageRepository } from '../../repositories/usage/usage.repository.ts';

export interface AlertQuotaDeps {
  plans: Plans;
  orgs: OrgRepository;
  quotaUsage: QuotaUsageRepository;
  usage: Pick<UsageRepository, 'getToday' | 'sumForPayer'>;
  messages: Pick<AlertMessageRepository, 'countUnsent'>;
}

/** Limits how many alerts a plan may send to messaging apps in a month. */
export class AlertQuota {
  readonly #deps: AlertQuotaDeps;

  constructor(deps: AlertQuotaDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the reason why no further alert may be queued; null if one may be queued. Queued alerts count
   * like sent alerts. Locks the quota until the end of the caller's transaction, which queues the alert.
   */
  async getBlockReason({ db, orgId }: OrgScope): Promise<string | null> {
    const { plans, orgs } = this.#deps;
    if (!plans.isEnforced) return null;
    const { payerId, planTier } = await orgs.getPlan({ db, orgId });
    const limit = plans.getLimits(planTier).alerts_per_month;
    if (limit === null) return null;
    await lockName(db, `quota alerts ${payerId}`);
    const isFull = (await this.#countUsed(db, payerId)) >= limit;
    return isFull ? `The plan’s limit of ${limit} alerts a month is reached.` : null;
  }

  /**
   * Counts the alerts that the payer has sent or queued this month. Counts again if an alert was sent during
   * the count.
   */
  async #countUsed(db: Database, payerId: string): Promise<number> {
    const { quotaUsage, usage, messages } = this.#deps;
    const month = toMonthRange(await usage.getToday(db));
    const workspaces = await quotaUsage.listPaidOrgIds(db, payerId);
    const countSent = async () => (await usage.sumForPayer(db, payerId, month)).alerts;
    for (;;) {
      const sentCount = await countSent();
      const unsent = await messages.countUnsent(db, workspaces);
      if ((await countSent()) === sentCount) return sentCount + unsent;
    }
  }
}
