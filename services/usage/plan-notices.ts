import { planTiers, type Plans } from '../../core/billing/plans.ts';
import type { Database } from '../../database/database.ts';
import type { PlanNotice } from '../../entities/usage/plan-notice.entity.ts';
import type { PlanMonthRepository, UsedPlan } from '../../repositories/usage/plan-month.repository.ts';
import { describePlanUsage, USED_PERCENT } from '../mail/notices/due-notices.ts';
import type { TeamNotices } from '../mail/notices/team-notices.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { MessageQuota } from './message-quota.ts';

const MAX_AT_ONCE = 200;

export interface PlanNoticesDeps {
  plans: Plans;
  database: Database;
  quota: Pick<MessageQuota, 'recountDue'>;
  months: PlanMonthRepository;
  outbox: Pick<OutboxService, 'event'>;
  teamNotices: Pick<TeamNotices, 'mailPlanUsed'>;
}

/** Informs payers by email when they have used 80 or 100 percent of the plan's monthly messages. */
export class PlanNotices {
  readonly #deps: PlanNoticesDeps;

  constructor(deps: PlanNoticesDeps) {
    this.#deps = deps;
  }

  /**
   * Informs payers by email who have reached 80 or 100 percent of their limit, once for each percentage. A
   * payer who has reached both at once gets one email, about the higher percentage. Returns the number of
   * emails.
   */
  async notifyReached(): Promise<number> {
    const { database, plans, quota, months } = this.#deps;
    await quota.recountDue();
    let notified = 0;
    for (const tier of planTiers) {
      const limit = plans.getLimits(tier).messages_per_month;
      if (limit === null || limit === 0) continue;
      for (const percent of USED_PERCENT) {
        const share = { limit, percent };
        for (const plan of await months.listAbovePercent(database, { tier, ...share, max: MAX_AT_ONCE }))
          notified += (await database.transaction((tx) => this.#sendNotice(tx, plan, share))) ? 1 : 0;
      }
    }
    return notified;
  }

  async #sendNotice(
    db: Database,
    plan: UsedPlan,
    { limit, percent }: Pick<PlanNotice, 'limit' | 'percent'>,
  ): Promise<boolean> {
    const { outbox, teamNotices, months } = this.#deps;
    if (!(await months.claimNotice(db, plan, { limit, percent }))) return false;
    const { payerId, month, planTier, messages, creditsLeft } = plan;
    const scope = { orgId: payerId, db };
    const data = { percent, used: messages, limit, meaning: describePlanUsage(percent, creditsLeft) };
    await teamNotices.mailPlanUsed(
      scope,
      data,
      `plan-usage/${payerId}/${month}/${percent}/${planTier}-${limit}`,
    );
    if (percent === 100) await outbox.event(scope, 'usage.limit_reached', { bot_id: null }, null);
    return true;
  }
}
