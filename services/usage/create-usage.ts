import type { Plans } from '../../core/billing/plans.ts';
import { AlertMessageRepository } from '../../repositories/alerts/alert-message.repository.ts';
import { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import { ConversationRepository } from '../../repositories/conversations/conversation.repository.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';
import { QuotaUsageRepository } from '../../repositories/usage/quota-usage.repository.ts';
import { PlanMonthRepository } from '../../repositories/usage/plan-month.repository.ts';
import { UsageRepository } from '../../repositories/usage/usage.repository.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';
import { AlertQuota } from './alert-quota.ts';
import { PlanNotices } from './plan-notices.ts';
import type { TeamNotices } from '../mail/notices/team-notices.ts';
import { Quotas } from './quotas.ts';
import { UsageFold } from './usage-fold.ts';
import { UsageService } from './usage-service.ts';
import { MessageQuota } from './message-quota.ts';
import { TokenUsage } from './token-usage.ts';

interface UsageDeps extends SharedDeps {
  teamNotices: TeamNotices;
  plans: Plans;
}

/** Creates the services that count usage and enforce the plans' limits. */
export function createUsage(
  { settings, database }: ServiceDeps,
  { bots, outbox, teamNotices, plans }: UsageDeps,
) {
  const rows = {
    usage: new UsageRepository(),
    months: new PlanMonthRepository(),
    accounts: new BillingAccountRepository(),
  };
  const messageQuota = new MessageQuota({ ...rows, database, plans });
  const limited = { plans, orgs: new OrgRepository(), quotaUsage: new QuotaUsageRepository() };
  return {
    tokens: new TokenUsage({ ...rows, conversations: new ConversationRepository(), settings }),
    messageQuota,
    planNotices: new PlanNotices({ ...rows, database, plans, quota: messageQuota, outbox, teamNotices }),
    usageFold: new UsageFold(rows.usage),
    usage: new UsageService({ ...rows, ...limited, bots }),
    quotas: new Quotas(limited),
    alertQuota: new AlertQuota({ ...rows, ...limited, messages: new AlertMessageRepository() }),
  };
}
