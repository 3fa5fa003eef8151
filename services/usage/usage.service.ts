import { limitNames, type LimitName, type Limits, type Plans } from '../../core/billing/plans.ts';
import { rangeOfDays } from '../../core/day-range.ts';
import { invalidField } from '../../core/errors/errors.ts';
import type { DayRange } from '../../core/months.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { HoldingsRepository } from '../../repositories/usage/holdings.repository.ts';
import type { Holdings } from '../../repositories/usage/holdings.sql.ts';
import type { UsageRepository } from '../../repositories/usage/usage.repository.ts';
import type { UsageFigures, UsageRow } from '../../repositories/usage/usage.sql.ts';
import { allowanceLeft, leftIn } from './message-room.ts';
import { daysOf, MOST_DAYS, rangeOfMonth } from './usage-ranges.ts';

const MOST_ROWS = 10_000;

export interface UsageSummary extends UsageFigures, Holdings {
  range: DayRange;
  workspaces: number;
  limits: Limits;
  /** Null where nothing limits them. */
  messagesLeft: number | null;
  /** Null where nothing limits messages, and for workspaces that do not pay themselves. */
  creditsLeft: number | null;
  exceeded: LimitName[];
}

export interface SeriesAsked {
  from?: string;
  to?: string;
  groupBy: 'bot' | 'model' | null;
  botId: string | null;
  includesChildren: boolean;
}

export interface UsageServiceDeps {
  usage: UsageRepository;
  holdings: HoldingsRepository;
  orgs: OrgRepository;
  bots: BotRepository;
  accounts: BillingAccountRepository;
  plans: Plans;
}

/** What workspaces have used, and what their plan leaves. */
export class UsageService {
  readonly #deps: UsageServiceDeps;

  constructor(deps: UsageServiceDeps) {
    this.#deps = deps;
  }

  /** @param month as YYYY-MM; the present one where it is undefined */
  async summary(
    scope: OrgScope,
    { month, includesChildren }: { month: string | undefined; includesChildren: boolean },
  ): Promise<UsageSummary> {
    const { usage, holdings } = this.#deps;
    const range = rangeOfMonth(month, await usage.today(scope.db));
    const orgIds = await this.#workspaces(scope, includesChildren);
    const [used, held, ofPlan] = await Promise.all([
      usage.sum(scope.db, orgIds, range),
      holdings.count(scope.db, orgIds),
      this.#ofPlan(scope, range),
    ]);
    return { range, workspaces: orgIds.length, ...used, ...held, ...ofPlan };
  }

  /** Days in their order; where nothing is told apart, also those on which nothing was used. */
  async series(scope: OrgScope, asked: SeriesAsked): Promise<UsageRow[]> {
    const { usage } = this.#deps;
    const { groupBy, botId } = asked;
    const range = rangeOfDays(asked, await usage.today(scope.db), MOST_DAYS);
    const orgIds = await this.#workspaces(scope, asked.includesChildren);
    if (botId !== null && !(await this.#isKnownBot(scope, orgIds, botId))) return [];
    const rows = await usage.listDays(scope.db, orgIds, { ...range, groupBy, botId, limit: MOST_ROWS + 1 });
    if (rows.length > MOST_ROWS)
      throw invalidField('from', `must be later: there are more than ${MOST_ROWS} rows`, 'query');
    return groupBy === null ? everyDay(range, rows) : rows;
  }

  /** Limits are shared by all whom the same payer pays for. */
  async #ofPlan(
    { db, orgId }: OrgScope,
    range: DayRange,
  ): Promise<Pick<UsageSummary, 'limits' | 'messagesLeft' | 'creditsLeft' | 'exceeded'>> {
    const { orgs, plans, usage, holdings, accounts } = this.#deps;
    const { payerId, planTier } = await orgs.getPlan({ db, orgId });
    const limits = plans.limitsOf(planTier);
    if (Object.values(limits).every((limit) => limit === null))
      return { limits, messagesLeft: null, creditsLeft: null, exceeded: [] };
    const [used, held, account] = await Promise.all([
      usage.sumOfHierarchy(db, payerId, range),
      holdings.listPaidFor(db, payerId).then((ids) => holdings.count(db, ids)),
      accounts.find(db, payerId),
    ]);
    const limit = limits.messages_per_month;
    const room =
      limit === null ? null : { limit, used: used.messages, creditsLeft: account?.creditsLeft ?? 0 };
    return {
      limits,
      messagesLeft: room && allowanceLeft(room),
      creditsLeft: payerId === orgId && room ? room.creditsLeft : null,
      exceeded: exceededOf(limits, {
        ...held,
        alerts: used.alerts,
        isOutOfMessages: room !== null && leftIn(room) === 0,
      }),
    };
  }

  async #workspaces(scope: OrgScope, includesChildren: boolean): Promise<string[]> {
    if (!includesChildren) return [scope.orgId];
    return (await this.#deps.orgs.listHierarchy(scope)).map(({ id }) => id);
  }

  /** What a bot has used outlives it. */
  async #isKnownBot({ db }: OrgScope, orgIds: readonly string[], botId: string): Promise<boolean> {
    const { bots, usage } = this.#deps;
    const orgId = await bots.findOrgId(db, botId);
    return orgId === null ? usage.hasBot(db, orgIds, botId) : orgIds.includes(orgId);
  }
}

/** Of a month, what is used up; of what is kept, what there is more of than the plan has. */
function exceededOf(
  limits: Limits,
  { isOutOfMessages, alerts, ...held }: Holdings & { alerts: number; isOutOfMessages: boolean },
): LimitName[] {
  const isOver = (count: number, limit: number | null) => limit !== null && count > limit;
  const found: Record<LimitName, boolean> = {
    messages_per_month: isOutOfMessages,
    documents: isOver(held.documents, limits.documents),
    bots: isOver(held.bots, limits.bots),
    seats: isOver(held.seats, limits.seats),
    alerts_per_month: isOver(alerts + 1, limits.alerts_per_month),
  };
  return limitNames.filter((name) => found[name]);
}

function everyDay(range: DayRange, rows: readonly UsageRow[]): UsageRow[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const nothing = { botId: null, model: null, messages: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  return daysOf(range).map((day) => byDay.get(day) ?? { ...nothing, day });
}
