import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { UsageDay } from '../../entities/usage/usage-day.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';

/** What was used more or less; it is given its id when it is written. */
export type NewUsage = Pick<
  UsageDelta,
  'orgId' | 'day' | 'botId' | 'model' | 'messages' | 'inputTokens' | 'outputTokens' | 'costUsd'
>;

const x = tableOf(UsageDelta, 'x');
const d = tableOf(UsageDay, 'd');

const key = ['orgId', 'day', 'botId', 'model'] as const;
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

/** The part of a statement that writes deltas. @param first number of its parameters: arrays, in the order of `NOTED` */
export function notedUsage(first: number): string {
  const arrays = NOTED.map((key, index) => `$${first + index}::${noted[key]}[]`);
  return `
    INSERT INTO ${x.table} (${x.bare('id', ...NOTED)})
    SELECT gen_random_uuid(), * FROM unnest(${arrays.join(', ')})`;
}

/**
 * Adds deltas to the rows of their days, at most $1 at once; returns how many. Two that fold at once take different ones, and
 * add to days in the same order.
 */
export const FOLD_USAGE_DELTAS = statement<{ folded: number }>({
  name: 'fold-usage-deltas',
  because:
    'What is deleted is added up in one step, so that no count falls between the two, nor counts twice.',
  text: `
    WITH taken AS (
      DELETE FROM ${x.table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${x.table} LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING ${deltaColumns}
    ), of_days AS (
      SELECT ${x.bare(...key)}, ${figures.map((figure) => `sum(${x.bare(figure)}) AS ${x.bare(figure)}`).join(', ')}
      FROM taken GROUP BY ${x.bare(...key)}
    ), folded AS (
      INSERT INTO ${d.table} AS d (${d.bare('id', ...key, ...figures)})
      SELECT gen_random_uuid(), * FROM of_days
      WHERE (${x.bare(...figures)}) <> (${figures.map(() => '0').join(', ')})
      ORDER BY ${x.bare(...key)}
      ON CONFLICT (${d.bare(...key)}) DO UPDATE SET
        ${figures.map((figure) => `${d.bare(figure)} = ${d(figure)} + excluded.${d.bare(figure)}`).join(', ')}
    )
    SELECT count(*)::int AS folded FROM taken`,
});
