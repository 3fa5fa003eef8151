import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';

/** What was used more or less; it is given its id and who pays when it is written. */
export type NewUsage = Pick<
  UsageDelta,
  'orgId' | 'day' | 'botId' | 'model' | 'messages' | 'inputTokens' | 'outputTokens' | 'costUsd'
>;

const x = tableOf(UsageDelta, 'x');
const d = tableOf(UsageDay, 'd');
const o = tableOf(Org, 'o');

const unique = ['orgId', 'day', 'botId', 'model'] as const;
const key = ['payerId', ...unique] as const;
export const figures = ['messages', 'inputTokens', 'outputTokens', 'costUsd', 'alerts'] as const;
const deltaColumns = x.bare(...key, ...figures);

/** What a delta of messages and tokens says, with the types of its columns. */
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
 * The part of a statement that writes deltas; those of workspaces that are gone are dropped.
 * @param first number of its parameters: arrays, in the order of `NOTED`
 */
export function notedUsage(first: number): string {
  const arrays = NOTED.map((key, index) => `$${first + index}::${noted[key]}[]`);
  return `
    INSERT INTO ${x.table} (${x.bare('id', 'payerId', ...NOTED)})
    SELECT gen_random_uuid(), ${o('payerId')}, used.*
    FROM unnest(${arrays.join(', ')}) used (${x.bare(...NOTED)}) JOIN ${o.from} ON ${o('id')} = used.org_id`;
}

/** $1 to $8 as `NOTED` */
export const NOTE_USAGE = statement({
  name: 'note-usage',
  because: 'It is what turns write with their counters: INSERT of a SELECT that finds out who pays.',
  text: notedUsage(1),
});

/**
 * Adds deltas to the rows of their days, at most $1 at once; returns how many. Two that fold at once take different ones, and
 * add to days in the same order. What payers have left that are gone is dropped.
 */
export const FOLD_USAGE_DELTAS = statement<{ folded: number }>({
  name: 'fold-usage-deltas',
  because:
    'What is deleted is added up in one step, so that no count falls between the two, nor counts twice.',
  text: `
    WITH taken AS (
      DELETE FROM ${x.table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${x.table} LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING ${deltaColumns}
    ), payer AS MATERIALIZED (
      SELECT ${o('id')} FROM ${o.from} WHERE ${o('id')} IN (SELECT payer_id FROM taken) ORDER BY 1 FOR KEY SHARE
    ), of_days AS (
      SELECT ${x.bare(...key)}, ${figures.map((figure) => `sum(${x.bare(figure)}) AS ${x.bare(figure)}`).join(', ')}
      FROM taken WHERE payer_id IN (SELECT id FROM payer) GROUP BY ${x.bare(...key)}
    ), folded AS (
      INSERT INTO ${d.table} AS d (${d.bare('id', ...key, ...figures)})
      SELECT gen_random_uuid(), * FROM of_days
      WHERE (${x.bare(...figures)}) <> (${figures.map(() => '0').join(', ')})
      ORDER BY ${x.bare(...unique)}
      ON CONFLICT (${d.bare(...unique)}) DO UPDATE SET
        ${figures.map((figure) => `${d.bare(figure)} = ${d(figure)} + excluded.${d.bare(figure)}`).join(', ')}
    )
    SELECT count(*)::int AS folded FROM taken`,
});
