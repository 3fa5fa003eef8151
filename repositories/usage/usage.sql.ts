import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
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

const columns = ['day', 'botId', 'model', ...figures] as const;

/** Whose use is asked for. */
export interface UsedBy {
  payerId: string;
  /** Null for all that the payer pays for, and has paid for: those that were deleted as well. */
  orgIds: readonly string[] | null;
}

/** Days and deltas that fulfil the same condition, as one snapshot has them: what is folded meanwhile counts once. */
function usedWhere(condition: (table: typeof d | typeof x) => string): string {
  const rowsOf = (table: typeof d | typeof x) =>
    `SELECT ${table.as(...columns)} FROM ${table.from} WHERE ${condition(table)}`;
  return `(${rowsOf(d)} UNION ALL ${rowsOf(x)}) used`;
}

/** Alerts are of no model, and so not told by days. */
const shown = figures.filter((figure) => figure !== 'alerts');
const sumsOf = (names: readonly string[]) =>
  names.map((name) => `coalesce(sum(used."${name}"), 0)::float8 AS "${name}"`).join(', ');

const within = usedWhere(
  (table) => `
    ${table('payerId')} = $1 AND ($2::uuid[] IS NULL OR ${table('orgId')} = ANY($2)) AND ${table('day')} >= $3 AND ${table('day')} < $4`,
);

export const TODAY = statement<{ day: string }>({
  name: 'today',
  because: 'It is asked of no table.',
  text: `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
});

const BECAUSE = 'Two tables are summed up as one snapshot has them: UNION ALL below an aggregate.';
const OF_WORKSPACES =
  'The workspaces are named by their ids: the caller’s own, or it and those below it, or all that a payer pays for.';

/** $1 the payer, $2 workspaces or null, $3 the first day, $4 the day after the last */
export const USED = statement<UsageFigures>({
  name: 'used',
  because: BECAUSE,
  acrossWorkspaces: OF_WORKSPACES,
  text: `SELECT ${sumsOf(figures)} FROM ${within}`,
});

/** As `USED`; $5 a bot or null, $6 and $7 whether bots and models are told apart, $8 rows at most */
export const USED_BY_DAY = statement<UsageRow>({
  name: 'used-by-day',
  because: BECAUSE,
  acrossWorkspaces: OF_WORKSPACES,
  text: `
    SELECT to_char(used.day, 'YYYY-MM-DD') AS day, of_bot.id AS "botId", of_model.name AS model, ${sumsOf(shown)} FROM ${within}
    CROSS JOIN LATERAL (SELECT CASE WHEN $6 THEN used."botId" END AS id) of_bot
    CROSS JOIN LATERAL (SELECT CASE WHEN $7 THEN used.model END AS name) of_model
    WHERE ($5::uuid IS NULL OR used."botId" = $5)
    GROUP BY used.day, of_bot.id, of_model.name
    HAVING (${shown.map((figure) => `sum(used."${figure}")`).join(', ')}) <> (${shown.map(() => '0').join(', ')})
    ORDER BY used.day, of_bot.id NULLS FIRST, of_model.name NULLS FIRST LIMIT $8`,
});
