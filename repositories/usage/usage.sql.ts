import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Org } from '../../entities/team/org.entity.ts';
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
const o = tableOf(Org, 'o');

const columns = ['day', 'botId', 'model', ...figures] as const;

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
  (table) => `${table('orgId')} = ANY($1::uuid[]) AND ${table('day')} >= $2 AND ${table('day')} < $3`,
);

export const TODAY = statement<{ day: string }>({
  name: 'today',
  because: 'It is asked of no table.',
  text: `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
});

const BECAUSE = 'Two tables are summed up as one snapshot has them: UNION ALL below an aggregate.';
const OF_WORKSPACES = 'The workspaces are named by their ids: the caller’s own, or it and those below it.';

/** $1 workspaces, $2 the first day, $3 the day after the last */
export const USED = statement<UsageFigures>({
  name: 'used',
  because: BECAUSE,
  acrossWorkspaces: OF_WORKSPACES,
  text: `SELECT ${sumsOf(figures)} FROM ${within}`,
});

/** As `USED`; $4 a bot or null, $5 and $6 whether bots and models are told apart, $7 rows at most */
export const USED_BY_DAY = statement<UsageRow>({
  name: 'used-by-day',
  because: BECAUSE,
  acrossWorkspaces: OF_WORKSPACES,
  text: `
    SELECT to_char(used.day, 'YYYY-MM-DD') AS day, of_bot.id AS "botId", of_model.name AS model, ${sumsOf(shown)} FROM ${within}
    CROSS JOIN LATERAL (SELECT CASE WHEN $5 THEN used."botId" END AS id) of_bot
    CROSS JOIN LATERAL (SELECT CASE WHEN $6 THEN used.model END AS name) of_model
    WHERE ($4::uuid IS NULL OR used."botId" = $4)
    GROUP BY used.day, of_bot.id, of_model.name
    HAVING (${shown.map((figure) => `sum(used."${figure}")`).join(', ')}) <> (${shown.map(() => '0').join(', ')})
    ORDER BY used.day, of_bot.id NULLS FIRST, of_model.name NULLS FIRST LIMIT $7`,
});

/** What a payer's whole hierarchy has used. $1 the payer, $2 the first day, $3 the day after the last */
export const USED_BY_HIERARCHY = statement<UsageFigures>({
  name: 'used-by-hierarchy',
  because: BECAUSE,
  acrossWorkspaces: 'All workspaces of a hierarchy share the limits of their payer.',
  text: `SELECT ${sumsOf(figures)} FROM ${usedWhere(
    (table) =>
      `${table('orgId')} IN (SELECT ${o('id')} FROM ${o.from} WHERE ${o('payerId')} = $1) AND ${table('day')} >= $2 AND ${table('day')} < $3`,
  )}`,
});
