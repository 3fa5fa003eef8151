import { limitNames, type LimitName, type Limits, type Plans } from '../../core/billing/plans.ts';
import { toDayRange } from '../../core/day-range.ts';
import { invalidField } from '../../core/errors/errors.ts';
import type { DayRange } from '../../core/months.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Org } from '../../entities/team/org.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { QuotaUsageRepository } from '../../repositories/usage/quota-usage.repository.ts';
import type { QuotaCounts } from '../../repositories/usage/quota-usage.sql.ts';
import type { UsageRepository } from '../../repositories/usage/usage.repository.ts';
import type { PlanMonthRepository } from '../../repositories/usage/plan-month.repository.ts';
import type { UsageFigures, UsageRow, UsageScope } from '../../repositories/usage/usage.sql.ts';
import { countRemainingAllowance, countRemainingMessages } from './message-allowance.ts';
import { listDays, MAX_SERIES_DAYS, resolveMonth } from './usage-ranges.ts';

const MAX_ROWS = 10_000;

export interface UsageSummary extends UsageFigures, QuotaCounts {
  range: DayRange;
  workspaces: number;
  limits: Limits;
  /**
   * Number of the plan's messages left in the current month. Null if the plan does not limit them, for other
   * months, and for a workspace that another workspace pays for.
   */
  messagesLeft: number | null;
  /**
   * Number of messages left of top-ups. Null if the plan does not limit messages, and for a workspace that
   * another workspace pays for.
   */
  creditsLeft: number | null;
  /** Limits of the plan that are exceeded now; empty for any month except the current month. */
  exceeded: LimitName[];
}

type PlanUsage = Pick<UsageSummary, 'limits' | 'messagesLeft' | 'creditsLeft' | 'exceeded'>;
type Plan = Pick<Org, 'payerId' | 'planTier'>;

export interface SeriesQuery {
  from?: string;
  to?: string;
  groupBy: 'bot' | 'model' | null;
  botId: string | null;
  includesChildren: boolean;
}

export interface UsageServiceDeps {
  usage: UsageRepository;
  quotaUsage: QuotaUsageRepository;
  orgs: OrgRepository;
  bots: BotRepository;
  months: PlanMonthRepository;
  accounts: BillingAccountRepository;
  plans: Plans;
}

/** Reports usage of workspaces and the remaining allowances of their plans. */
export class UsageService {
  readonly #deps: UsageServiceDeps;

  constructor(deps: UsageServiceDeps) {
    this.#deps = deps;
  }

  /** @param month month to summarize as YYYY-MM; undefined for the current month */
  async summarize(
    scope: OrgScope,
    { month, includesChildren }: { month: string | undefined; includesChildren: boolean },
  ): Promise<UsageSummary> {
    const { orgs, usage, quotaUsage } = this.#deps;
    const today = await usage.getToday(scope.db);
    const range = resolveMonth(month, today);
    const plan = await orgs.getPlan(scope);
    const orgIds = await this.#listWorkspaceIds(scope, includesChildren);
    const isCurrentMonth = range.from <= today && today < range.to;
    const [used, resources, planSummary] = await Promise.all([
      usage.sum(scope.db, selectUsageScope(scope, { plan, orgIds, includesChildren }), range),
      quotaUsage.count(scope.db, orgIds),
      this.#summarizePlan(scope, plan, isCurrentMonth ? range : null),
    ]);
    return { range, workspaces: orgIds.length, ...used, ...resources, ...planSummary };
  }

  /**
   * Lists usage by day, in order. Without `groupBy`, includes days without usage.
   * @throws AppError `forbidden` for a bot of another workspace, `not_found` for an unknown bot
   */
  async listSeries(scope: OrgScope, query: SeriesQuery): Promise<UsageRow[]> {
    const { bots, orgs, usage } = this.#deps;
    const { groupBy, botId, includesChildren } = query;
    const range = toDayRange(query, await usage.getToday(scope.db), MAX_SERIES_DAYS);
    const plan = await orgs.getPlan(scope);
    const orgIds = await this.#listWorkspaceIds(scope, includesChildren);
    const usageScope = selectUsageScope(scope, { plan, orgIds, includesChildren });
    if (botId !== null && !(await this.#isKnownBot(scope, { ...usageScope, existingOrgIds: orgIds }, botId)))
      await bots.throwMissing(scope, botId);
    const rows = await usage.listDays(scope.db, usageScope, {
      ...range,
      groupBy,
      botId,
      limit: MAX_ROWS + 1,
    });
    if (rows.length > MAX_ROWS)
      throw invalidField('from', `must be later: the range has more than ${MAX_ROWS} rows`, 'query');
    return groupBy === null ? fillDays(range, rows) : rows;
  }

  /**
   * Returns the limits of the workspace's plan and what is left of them. All workspaces of a payer share the
   * limits, but only the payer sees what is left.
   * @param month the current month; null for another month, for which neither remaining nor exceeded limits
   * are reported
   */
  async #summarizePlan(
    { db, orgId }: OrgScope,
    { payerId, planTier }: Plan,
    month: DayRange | null,
  ): Promise<PlanUsage> {
    const limits = this.#deps.plans.getLimits(planTier);
    const isPayer = payerId === orgId;
    const isLimited = Object.values(limits).some((limit) => limit !== null);
    if (!isLimited) return { limits, messagesLeft: null, creditsLeft: null, exceeded: [] };
    const account = await this.#deps.accounts.find(db, payerId);
    const allowance = { limit: limits.messages_per_month, used: 0, creditsLeft: account?.creditsLeft ?? 0 };
    const creditsLeft = isPayer && allowance.limit !== null ? allowance.creditsLeft : null;
    if (month === null) return { limits, messagesLeft: null, creditsLeft, exceeded: [] };
    const { resources, alerts, messages: used } = await this.#countPlanUse(db, payerId, month);
    return {
      limits,
      messagesLeft:
        isPayer && allowance.limit !== null ? countRemainingAllowance({ ...allowance, used }) : null,
      creditsLeft,
      exceeded: findExceeded(limits, {
        ...resources,
        alerts,
        isOutOfMessages: countRemainingMessages({ ...allowance, used }) === 0,
      }),
    };
  }

  /**
   * Counts what the payer has used of each limit of the plan. Takes the number of messages from the counter
   * that admits messages, if the payer has one, so that both numbers agree.
   */
  async #countPlanUse(db: Database, payerId: string, month: DayRange) {
    const { usage, months, quotaUsage } = this.#deps;
    const [{ messages, alerts }, counted, resources] = await Promise.all([
      usage.sumForPayer(db, payerId, month),
      months.find(db, payerId, month.from),
      quotaUsage.listPaidOrgIds(db, payerId).then((ids) => quotaUsage.count(db, ids)),
    ]);
    return { resources, alerts, messages: counted ? counted.messages - counted.paidMessages : messages };
  }

  /**
   * Returns whether the bot belongs to one of the given workspaces. A deleted bot is found by its recorded
   * usage.
   */
  async #isKnownBot(
    { db }: OrgScope,
    { existingOrgIds, ...usageScope }: UsageScope & { existingOrgIds: readonly string[] },
    botId: string,
  ): Promise<boolean> {
    const { bots, usage } = this.#deps;
    const orgId = await bots.findOrgId(db, botId);
    return (orgId !== null && existingOrgIds.includes(orgId)) || usage.hasBot(db, usageScope, botId);
  }

  async #listWorkspaceIds(scope: OrgScope, includesChildren: boolean): Promise<string[]> {
    if (!includesChildren) return [scope.orgId];
    return (await this.#deps.orgs.listHierarchy(scope)).map(({ id }) => id);
  }
}

/**
 * Selects the workspaces whose usage is summed up. For a payer with all workspaces below, deleted workspaces
 * are included.
 */
function selectUsageScope(
  { orgId }: OrgScope,
  {
    plan: { payerId },
    orgIds,
    includesChildren,
  }: { plan: Plan; orgIds: string[]; includesChildren: boolean },
): UsageScope {
  return { payerId, orgIds: includesChildren && payerId === orgId ? null : orgIds };
}

/**
 * Returns the names of the plan's limits that are exceeded. A monthly limit is exceeded once it is used up,
 * any other limit once more is in use than allowed.
 */
function findExceeded(
  limits: Limits,
  { isOutOfMessages, alerts, ...resources }: QuotaCounts & { alerts: number; isOutOfMessages: boolean },
): LimitName[] {
  const isOver = (count: number, limit: number | null) => limit !== null && count > limit;
  const found: Record<LimitName, boolean> = {
    messages_per_month: isOutOfMessages,
    documents: isOver(resources.documents, limits.documents),
    bots: isOver(resources.bots, limits.bots),
    seats: isOver(resources.seats, limits.seats),
    alerts_per_month: isOver(alerts + 1, limits.alerts_per_month),
  };
  return limitNames.filter((name) => found[name]);
}

function fillDays(range: DayRange, rows: readonly UsageRow[]): UsageRow[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const nothing = { botId: null, model: null, messages: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  return listDays(range).map((day) => byDay.get(day) ?? { ...nothing, day });
}
