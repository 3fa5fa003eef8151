import { Plans } from '../../core/billing/plans.ts';
import { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import { ConversationRepository } from '../../repositories/conversations/conversation.repository.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';
import { HoldingsRepository } from '../../repositories/usage/holdings.repository.ts';
import { PlanMonthRepository } from '../../repositories/usage/plan-month.repository.ts';
import { UsageRepository } from '../../repositories/usage/usage.repository.ts';
import type { ServiceDeps, Shared } from '../service-deps.ts';
import { UsageService } from './usage.service.ts';
import { MessageQuota } from './message-quota.ts';
import { TokenUsage } from './token-usage.ts';

/** What is used, and what plans leave of it. */
export function createUsage({ settings, database }: ServiceDeps, { bots }: Pick<Shared, 'bots'>) {
  const rows = {
    usage: new UsageRepository(),
    months: new PlanMonthRepository(),
    accounts: new BillingAccountRepository(),
  };
  const plans = new Plans(settings);
  return {
    tokens: new TokenUsage({ ...rows, conversations: new ConversationRepository(), settings }),
    messageQuota: new MessageQuota({ ...rows, database, plans }),
    usage: new UsageService({
      ...rows,
      holdings: new HoldingsRepository(),
      orgs: new OrgRepository(),
      bots,
      plans,
    }),
  };
}
