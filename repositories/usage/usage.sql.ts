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

/** Whose use is asked for. */
export interface UsedBy {
  payerId: string;
  /** Null for all that the payer pays for, and has paid for: those that were deleted as well. */
  orgIds: readonly string[] | null;
}

/** Alerts are of no model, and so not told by days. */
const shown = figures.filter((figure) => figure !== 'alerts');
const sumsOf = (names: readonly string[]) =>
  names.map((name) => `coalesce(sum(used."${name}"), 0)::float8 AS "${name}"`).join(', ');

/** $1 the payer, $2 workspaces or null, $3 the first day, $4 the day after the last */
const within = (table: typeof d | typeof t | typeof x) => `
      FROM ${table.from} WHERE ${table('payerId')} = $1 AND ($2::uuid[] IS NULL OR ${table('orgId')} = ANY($2))
        AND ${table('day')} >= $3 AND ${table('day')} < $4`;

/** Together with deltas, as one snapshot has them: what is folded meanwhile counts once. */
const TOTALS = `(
      SELECT ${t.as('day', 'model', ...figures)} ${within(t)}
      UNION ALL SELECT ${x.as('day', 'model', ...figures)} ${within(x)}) used`;
const DAYS_OF_BOTS = `(
      SELECT ${d.as('day', 'botId', 'model', ...figures)} ${within(d)}
      UNION ALL SELECT ${x.as('day', 'botId', 'model', ...figures)} ${within(x)}) used`;

export const TODAY = statement<{ day: string }>({
  name: 'today',
  because: 'It is asked of no table.',
  text: `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
});

const BECAUSE = 'Two tables are summed up as one snapshot has them: UNION ALL below an aggregate.';
const OF_WORKSPACES =
  'The workspaces are named by their ids: the caller’s own, or it and those below it, or all that a payer pays for.';

/** As `within` */
export const USED = statement<UsageFigures>({
  name: 'used',
  because: BECAUSE,
  acrossWorkspaces: OF_WORKSPACES,
  text: `SELECT ${sumsOf(figures)} FROM ${TOTALS}`,
});

/** @param asked SQL: what to sum up, what days are told apart by, and how many rows there are at most */
function usedByDay({ from, bot, model, limit }: Record<'from' | 'bot' | 'model' | 'limit', string>): string {
  return `
    SELECT to_char(used.day, 'YYYY-MM-DD') AS day, ${bot} AS "botId", ${model} AS model, ${sumsOf(shown)} FROM ${from}
    GROUP BY used.day, 2, 3
    HAVING (${shown.map((figure) => `sum(used."${figure}")`).join(', ')}) <> (${shown.map(() => '0').join(', ')})
    ORDER BY used.day, 2 NULLS FIRST, 3 NULLS FIRST LIMIT ${limit}`;
}

/** As `within`; $5 whether models are told apart, $6 rows at most */
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

/** As `within`; $5 a bot or null, $6 and $7 whether bots and models are told apart, $8 rows at most */
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
