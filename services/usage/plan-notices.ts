import { planTiers, type Plans } from '../../core/billing/plans.ts';
import type { Database } from '../../database/database.ts';
import type { PlanMonthRepository, UsedPlan } from '../../repositories/usage/plan-month.repository.ts';
import { planMeaning, USED_PERCENT } from '../mail/due-notices.ts';
import type { TeamNotices } from '../mail/team-notices.service.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';

const MOST_AT_ONCE = 200;

export interface PlanNoticesDeps {
  plans: Plans;
  months: PlanMonthRepository;
  outbox: OutboxService;
  teamNotices: Pick<TeamNotices, 'planUsed'>;
}

/** Tells those who pay that the messages of their month come to an end. */
export class PlanNotices {
  readonly #deps: PlanNoticesDeps;

  constructor(deps: PlanNoticesDeps) {
    this.#deps = deps;
  }

  /** Once for each share, and again with another plan; whoever has used up all is not told of less. Returns how many were told. */
  tellReached(database: Database): Promise<number> {
    const { plans, months } = this.#deps;
    return database.transaction(async (db) => {
      let told = 0;
      for (const tier of planTiers) {
        const limit = plans.limitsOf(tier).messages_per_month;
        if (limit === null || limit === 0) continue;
        for (const percent of USED_PERCENT) {
          const reached = await months.claimReached(db, { tier, limit, percent, most: MOST_AT_ONCE });
          for (const plan of reached) await this.#tell(db, plan, { limit, percent });
          told += reached.length;
        }
      }
      return told;
    });
  }

  async #tell(
    db: Database,
    { payerId, month, planTier, messages, creditsLeft }: UsedPlan,
    { limit, percent }: { limit: number; percent: number },
  ): Promise<void> {
    const { outbox, teamNotices } = this.#deps;
    const scope = { orgId: payerId, db };
    const data = { percent, used: messages, limit, meaning: planMeaning(percent, creditsLeft) };
    await teamNotices.planUsed(scope, data, `plan-usage/${payerId}/${month}/${percent}/${planTier}-${limit}`);
    if (percent === 100) await outbox.event(scope, 'usage.limit_reached', { bot_id: null }, null);
  }
}
