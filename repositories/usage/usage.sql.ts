import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
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

const x = tableOf(UsageDelta, 'x');
const d = tableOf(UsageDay, 'd');
const t = tableOf(UsageTotal, 't');

/** The workspaces whose usage is read. */
export interface UsedBy {
  payerId: string;
  /** Null for all workspaces of the payer, including deleted ones. */
  orgIds: readonly string[] | null;
}

/** Leaves out alerts: they use no model, and daily series do not show them. */
const shown = figures.filter((figure) => figure !== 'alerts');
const sumsOf = (names: readonly string[]) =>
  names.map((name) => `coalesce(sum(used."${name}"), 0)::float8 AS "${name}"`).join(', ');

/** Values: $1 payer, $2 workspaces or null, $3 first day, $4 day after the last. */
const within = (table: typeof d | typeof t | typeof x) => `
      FROM ${table.from} WHERE ${table('payerId')} = $1 AND ($2::uuid[] IS NULL OR ${table('orgId')} = ANY($2))
        AND ${table('day')} >= $3 AND ${table('day')} < $4`;

/** Adds deltas in the same snapshot, so that concurrently folded ones count once. */
const TOTALS = `(
      SELECT ${t.as('day', 'model', ...figures)} ${within(t)}
      UNION ALL SELECT ${x.as('day', 'model', ...figures)} ${within(x)}) used`;
const DAYS_OF_BOTS = `(
      SELECT ${d.as('day', 'botId', 'model', ...figures)} ${within(d)}
      UNION ALL SELECT ${x.as('day', 'botId', 'model', ...figures)} ${within(x)}) used`;

export const TODAY = statement<{ day: string }>({
  name: 'today',
  because: 'Reads the clock without a table.',
  text: `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
});

const BECAUSE = 'Sums two tables in one snapshot: UNION ALL below an aggregate.';
const OF_WORKSPACES = 'Filters by a list of workspaces: the caller’s own, those below it, or all of a payer.';

/** Values: those of `within`. */
export const USED = statement<UsageFigures>({
  name: 'used',
  because: BECAUSE,
  acrossWorkspaces: OF_WORKSPACES,
  text: `SELECT ${sumsOf(figures)} FROM ${TOTALS}`,
});

/** @param asked SQL of the source, the grouping columns and the limit */
function usedByDay({ from, bot, model, limit }: Record<'from' | 'bot' | 'model' | 'limit', string>): string {
  return `
    SELECT to_char(used.day, 'YYYY-MM-DD') AS day, ${bot} AS "botId", ${model} AS model, ${sumsOf(shown)} FROM ${from}
    GROUP BY used.day, 2, 3
    HAVING (${shown.map((figure) => `sum(used."${figure}")`).join(', ')}) <> (${shown.map(() => '0').join(', ')})
    ORDER BY used.day, 2 NULLS FIRST, 3 NULLS FIRST LIMIT ${limit}`;
}

/** Values: those of `within`; $5 true to group by model, $6 limit. */
export const USED_BY_DAY = statement<UsageRow>({
  name: 'used-by-day',
  because: BECAUSE,
  acrossWorkspaces: OF_WORKSPACES,
  text: usedByDay({
    from: TOTALS,
    bot: 'NULL::uuid',
    model: 'CASE WHEN $5 THEN used.model END',
    limit: '$6',
  }),
});

/** Values: those of `within`; $5 bot or null, $6 and $7 true to group by bot and model, $8 limit. */
export const USED_BY_BOT_AND_DAY = statement<UsageRow>({
  name: 'used-by-bot-and-day',
  because: BECAUSE,
  acrossWorkspaces: OF_WORKSPACES,
  text: usedByDay({
    from: `${DAYS_OF_BOTS} WHERE ($5::uuid IS NULL OR used."botId" = $5)`,
    bot: 'CASE WHEN $6 THEN used."botId" END',
    model: 'CASE WHEN $7 THEN used.model END',
    limit: '$8',
  }),
});
