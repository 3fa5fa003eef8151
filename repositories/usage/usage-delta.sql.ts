import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { UsageTotal } from '../../entities/usage/usage-total.entity.ts';

/** A change of usage. Its id and payer are added when it is written. */
export type NewUsage = Pick<
  UsageDelta,
  'orgId' | 'day' | 'botId' | 'model' | 'messages' | 'inputTokens' | 'outputTokens' | 'costUsd'
>;

const x = tableOf(UsageDelta, 'x');
const d = tableOf(UsageDay, 'd');
const t = tableOf(UsageTotal, 't');
const o = tableOf(Org, 'o');

export const figures = ['messages', 'inputTokens', 'outputTokens', 'costUsd', 'alerts'] as const;

/** Columns of a delta for messages and tokens, with their types. */
const noted = {
  orgId: 'uuid',
  day: 'date',
  botId: 'uuid',
  model: 'text',
  messages: 'int',
  inputTokens: 'bigint',
  outputTokens: 'bigint',
  costUsd: 'numeric',
} as const satisfies Record<keyof NewUsage, string>;
export const NOTED = Object.keys(noted) as (keyof NewUsage)[];

/**
 * Returns the part of a statement that inserts deltas. Drops deltas of deleted workspaces.
 * @param first number of its first parameter; parameters are arrays in the order of `NOTED`
 */
export function notedUsage(first: number): string {
  const arrays = NOTED.map((key, index) => `$${first + index}::${noted[key]}[]`);
  return `
    INSERT INTO ${x.table} (${x.bare('id', 'payerId', ...NOTED)})
    SELECT gen_random_uuid(), ${o('payerId')}, used.*
    FROM unnest(${arrays.join(', ')}) used (${x.bare(...NOTED)}) JOIN ${o.from} ON ${o('id')} = used.org_id`;
}

/** Values: $1 to $8 in the order of `NOTED`. */
export const NOTE_USAGE = statement({
  name: 'insert-usage',
  because: 'Shares the INSERT of turns, whose SELECT finds the payer.',
  text: notedUsage(1),
});

/** @param expression returns SQL for the column of a figure */
const ofEach = (expression: (column: string) => string) =>
  figures.map((figure) => expression(x.bare(figure))).join(', ');

/** Returns the part of the fold that adds deltas to the rows of a table, one for each key. */
function addedTo(table: string, key: string): string {
  return `
      INSERT INTO ${table} AS kept (id, payer_id, ${key}, ${ofEach((column) => column)})
      SELECT gen_random_uuid(), payer_id, ${key}, ${ofEach((column) => `sum(${column})`)}
      FROM taken WHERE payer_id IN (SELECT id FROM payer) GROUP BY payer_id, ${key}
      HAVING (${ofEach((column) => `sum(${column})`)}) <> (${ofEach(() => '0')}) ORDER BY ${key}
      ON CONFLICT (${key}) DO UPDATE SET ${ofEach((column) => `${column} = kept.${column} + excluded.${column}`)}`;
}

/**
 * Adds at most $1 deltas to the rows of their days and to daily totals. Returns how many. Concurrent folds take
 * different deltas and add in the same order. Drops deltas of deleted payers.
 */
export const FOLD_USAGE_DELTAS = statement<{ folded: number }>({
  name: 'fold-usage-deltas',
  because: 'Deletes, sums and adds in one step, so that no count is lost or doubled.',
  text: `
    WITH taken AS (
      DELETE FROM ${x.table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${x.table} LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING ${x.bare('payerId', 'orgId', 'day', 'botId', 'model', ...figures)}
    ), payer AS MATERIALIZED (
      SELECT ${o('id')} FROM ${o.from} WHERE ${o('id')} IN (SELECT payer_id FROM taken) ORDER BY 1 FOR KEY SHARE
    ), folded AS (${addedTo(d.table, d.bare('orgId', 'day', 'botId', 'model'))}
    ), totalled AS (${addedTo(t.table, t.bare('orgId', 'day', 'model'))}
    )
    SELECT count(*)::int AS folded FROM taken`,
});
