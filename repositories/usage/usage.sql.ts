import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { UsageTotal } from '../../entities/usage/usage-total.entity.ts';
import { figures } from './usage-delta.sql.ts';

export interface UsageFigures {
  messages: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  alerts: number;
}

export interface UsageRow extends Omit<UsageFigures, 'alerts'> {
  day: string;
  botId: string | null;
  model: string | null;
}

const x = aliasTable(UsageDelta, 'x');
const d = aliasTable(UsageDay, 'd');
const t = aliasTable(UsageTotal, 't');

/** Payer and workspaces whose usage is read. */
export interface UsageScope {
  payerId: string;
  /** Ids of the workspaces; null for all workspaces of the payer, including deleted workspaces. */
  orgIds: readonly string[] | null;
}

/** Figures of usage in daily series. Alerts are missing because they use no model. */
const SERIES_FIGURES = figures.filter((figure) => figure !== 'alerts');
const buildSums = (names: readonly string[]) =>
  names.map((name) => `coalesce(sum(used."${name}"), 0)::float8 AS "${name}"`).join(', ');

/**
 * Selects usage rows of a payer in a range of days. Parameters: $1 payer id, $2 workspace ids or null, $3
 * first day, $4 day after the last.
 */
const selectInRange = (table: typeof d | typeof t | typeof x) => `
      FROM ${table.from} WHERE ${table('payerId')} = $1 AND ($2::uuid[] IS NULL OR ${table('orgId')} = ANY($2))
        AND ${table('day')} >= $3 AND ${table('day')} < $4`;

/**
 * SQL that reads usage totals and deltas in one snapshot, so that a delta that is rolled up concurrently
 * counts once.
 */
const TOTALS = `(
      SELECT ${t.as('day', 'model', ...figures)} ${selectInRange(t)}
      UNION ALL SELECT ${x.as('day', 'model', ...figures)} ${selectInRange(x)}) used`;
const BOT_DAYS = `(
      SELECT ${d.as('day', 'botId', 'model', ...figures)} ${selectInRange(d)}
      UNION ALL SELECT ${x.as('day', 'botId', 'model', ...figures)} ${selectInRange(x)}) used`;

export const TODAY = defineStatement<{ day: string }>({
  name: 'today',
  because: 'Reads the clock without a table.',
  text: `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
});

const SQL_REASON = 'Sums two tables in one snapshot, which requires UNION ALL below an aggregate.';
const ACROSS_WORKSPACES =
  'Filters by a list of workspaces: the caller’s own, those below it, or all workspaces of a payer.';

/**
 * Adds up the usage of workspaces in a range of days. Parameters: $1 payer id, $2 workspace ids or null, $3
 * first day, $4 day after the last.
 */
export const SUM_USAGE = defineStatement<UsageFigures>({
  name: 'used',
  because: SQL_REASON,
  acrossWorkspaces: ACROSS_WORKSPACES,
  text: `SELECT ${buildSums(figures)} FROM ${TOTALS}`,
});

/**
 * Builds a query for usage by day. The parameters are SQL for the source, the grouping columns and the limit.
 */
function buildDailyUsage({
  from,
  bot,
  model,
  limit,
}: Record<'from' | 'bot' | 'model' | 'limit', string>): string {
  return `
    SELECT to_char(used.day, 'YYYY-MM-DD') AS day, ${bot} AS "botId", ${model} AS model, ${buildSums(SERIES_FIGURES)} FROM ${from}
    GROUP BY used.day, 2, 3
    HAVING (${SERIES_FIGURES.map((figure) => `sum(used."${figure}")`).join(', ')}) <> (${SERIES_FIGURES.map(() => '0').join(', ')})
    ORDER BY used.day, 2 NULLS FIRST, 3 NULLS FIRST LIMIT ${limit}`;
}

/**
 * Lists the usage of workspaces by day. Parameters: $1 payer id, $2 workspace ids or null, $3 first day, $4
 * day after the last, $5 true to group by model, $6 limit.
 */
export const LIST_USAGE_BY_DAY = defineStatement<UsageRow>({
  name: 'used-by-day',
  because: SQL_REASON,
  acrossWorkspaces: ACROSS_WORKSPACES,
  text: buildDailyUsage({
    from: TOTALS,
    bot: 'NULL::uuid',
    model: 'CASE WHEN $5 THEN used.model END',
    limit: '$6',
  }),
});

/**
 * Lists the usage of bots by day. Parameters: $1 payer id, $2 workspace ids or null, $3 first day, $4 day
 * after the last; $5 bot id or null, $6 and $7 true to group by bot and model, $8 limit.
 */
export const LIST_USAGE_BY_BOT_AND_DAY = defineStatement<UsageRow>({
  name: 'used-by-bot-and-day',
  because: SQL_REASON,
  acrossWorkspaces: ACROSS_WORKSPACES,
  text: buildDailyUsage({
    from: `${BOT_DAYS} WHERE ($5::uuid IS NULL OR used."botId" = $5)`,
    bot: 'CASE WHEN $6 THEN used."botId" END',
    model: 'CASE WHEN $7 THEN used.model END',
    limit: '$8',
  }),
});
