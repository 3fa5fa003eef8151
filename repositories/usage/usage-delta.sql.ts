import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { UsageTotal } from '../../entities/usage/usage-total.entity.ts';

/** Usage of a model to add. The delta's id and payer are determined when the delta is inserted. */
export type NewUsage = Pick<
  UsageDelta,
  'orgId' | 'day' | 'botId' | 'model' | 'messages' | 'inputTokens' | 'outputTokens' | 'costUsd'
>;

const x = aliasTable(UsageDelta, 'x');
const d = aliasTable(UsageDay, 'd');
const t = aliasTable(UsageTotal, 't');
const o = aliasTable(Org, 'o');

export const figures = ['messages', 'inputTokens', 'outputTokens', 'costUsd', 'alerts'] as const;

export const DELTA_COLUMNS = [
  'orgId',
  'day',
  'botId',
  'model',
  'messages',
  'inputTokens',
  'outputTokens',
  'costUsd',
] as const satisfies (keyof NewUsage)[];

/**
 * Builds the INSERT of usage deltas, as part of a statement. Ignores usage of deleted workspaces.
 * @param first number of the INSERT's first parameter; its parameters are arrays in the order of
 * `DELTA_COLUMNS`
 */
export function buildUsageInsert(first: number): string {
  return `
    INSERT INTO ${x.table} (${x.bare('id', 'payerId', ...DELTA_COLUMNS)})
    SELECT gen_random_uuid(), ${o('payerId')}, used.*
    FROM unnest(${x.arrays(first, ...DELTA_COLUMNS)}) used (${x.bare(...DELTA_COLUMNS)}) JOIN ${o.from} ON ${o('id')} = used.org_id`;
}

/** Inserts usage deltas. Parameters: $1 to $8 are arrays in the order of `DELTA_COLUMNS`. */
export const INSERT_USAGE = defineStatement({
  name: 'insert-usage',
  because: 'Shares the INSERT of turns, whose SELECT finds the payer.',
  text: buildUsageInsert(1),
});

/**
 * Builds a list of SQL expressions, one for each figure of usage.
 * @param expression returns the SQL for a figure's column
 */
const mapUsageColumns = (expression: (column: string) => string) =>
  figures.map((figure) => expression(x.bare(figure))).join(', ');

/**
 * Builds the part of the usage rollup that adds deltas to a table of sums. Deltas with equal key columns are
 * added to one row.
 */
function buildAddition(table: string, key: string): string {
  return `
      INSERT INTO ${table} AS kept (id, payer_id, ${key}, ${mapUsageColumns((column) => column)})
      SELECT gen_random_uuid(), payer_id, ${key}, ${mapUsageColumns((column) => `sum(${column})`)}
      FROM taken WHERE payer_id IN (SELECT id FROM payer) GROUP BY payer_id, ${key}
      HAVING (${mapUsageColumns((column) => `sum(${column})`)}) <> (${mapUsageColumns(() => '0')}) ORDER BY ${key}
      ON CONFLICT (${key}) DO UPDATE SET ${mapUsageColumns((column) => `${column} = kept.${column} + excluded.${column}`)}`;
}

/**
 * Rolls up at most $1 usage deltas into the sums by bot and day, and the daily totals. Returns the number of
 * deltas. Concurrent rollups take different deltas, and add in the same order. Ignores deltas of deleted
 * payers.
 */
export const FOLD_USAGE_DELTAS = defineStatement<{ folded: number }>({
  name: 'fold-usage-deltas',
  because: 'Deletes, sums and adds in one step, so that no count is lost or doubled.',
  text: `
    WITH taken AS (
      DELETE FROM ${x.table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${x.table} LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING ${x.bare('payerId', 'orgId', 'day', 'botId', 'model', ...figures)}
    ), payer AS MATERIALIZED (
      SELECT ${o('id')} FROM ${o.from} WHERE ${o('id')} IN (SELECT payer_id FROM taken) ORDER BY 1 FOR KEY SHARE
    ), folded AS (${buildAddition(d.table, d.bare('orgId', 'day', 'botId', 'model'))}
    ), totaled AS (${buildAddition(t.table, t.bare('orgId', 'day', 'model'))}
    )
    SELECT count(*)::int AS folded FROM taken`,
});
