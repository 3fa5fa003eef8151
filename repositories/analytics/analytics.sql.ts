import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { AnalyticsDelta } from '../../entities/analytics/analytics-delta.entity.ts';
import { analyticsFigures } from '../../entities/analytics/analytics-figures.ts';
import { AnalyticsRollup } from '../../entities/analytics/analytics-rollup.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

const d = aliasTable(AnalyticsDelta, 'd');
const r = aliasTable(AnalyticsRollup, 'r');
const b = aliasTable(Bot, 'b');
const o = aliasTable(Org, 'o');

const FIGURES = d.bare(...analyticsFigures);
const BINS = d.bare('bins', 'binCounts');
/**
 * Returns a list of SQL expressions, one for each analytics figure.
 * @param expression returns the SQL for a figure's column
 */
const mapFigureColumns = (expression: (column: string) => string) =>
  analyticsFigures.map((figure) => expression(d.bare(figure))).join(', ');

const IS_ALL_ZERO = analyticsFigures.map((figure) => `${r.table}.${r.bare(figure)} = 0`).join(' AND ');

/** Number of analytics deltas that were folded, and the keys of rollups whose figures are all 0 now. */
export interface FoldedDeltas {
  taken: number;
  subjectIds: string[];
  spans: string[];
  startsAt: Date[];
}

/** Maximum number of analytics deltas that one statement folds into rollups. */
const BATCH_SIZE = 5000;

/**
 * Inserts analytics deltas for finished answers. Parameters are arrays with one element for each answer: $1
 * workspace; $2 bot; $3 start of the quarter hour; $4 and $5 histogram bins of latency and time to first
 * token, or null; $6 true if it failed; $7 true if the bot found no answer.
 */
export const RECORD_ANSWERS = defineStatement({
  name: 'record-answers',
  because:
    'Inserts one delta for each bot and quarter hour, in the same round trip as COMMIT (bench streams).',
  isPrepared: true,
  text: `
    INSERT INTO ${d.table} (${d.bare('id', 'orgId', 'botId', 'startsAt', 'errors', 'unanswered')}, ${BINS})
    SELECT gen_random_uuid(), org_id, bot_id, starts_at, errors, unanswered, bins, array_fill(1, ARRAY[cardinality(bins)])
    FROM (SELECT org_id, bot_id, starts_at,
        count(*) FILTER (WHERE is_error) AS errors, count(*) FILTER (WHERE is_unanswered) AS unanswered,
        coalesce(array_agg(latency) FILTER (WHERE latency IS NOT NULL), '{}')
          || coalesce(array_agg(ttft) FILTER (WHERE ttft IS NOT NULL), '{}') AS bins
      FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::smallint[], $5::smallint[], $6::boolean[], $7::boolean[])
        AS answer (org_id, bot_id, starts_at, latency, ttft, is_error, is_unanswered)
      GROUP BY 1, 2, 3) answers`,
});

/**
 * Folds analytics deltas into rollups. Each delta is added to six rollups: quarter hour, day and month, each
 * for the bot and the workspace. Skips deltas that another process has locked, and drops deltas of deleted
 * bots and workspaces. Returns the keys of rollups that are 0 now; they stay locked until the transaction
 * ends.
 */
export const FOLD_ANALYTICS = defineStatement<FoldedDeltas>({
  name: 'fold-analytics',
  because: 'Deletes, sums and adds in one step, so that no figure is missing or doubled in between.',
  acrossWorkspaces: 'Each row keeps its own workspace.',
  text: `
    WITH taken AS (
      DELETE FROM ${d.from} WHERE (${d('orgId')}, ${d('id')}) IN (
        SELECT ${d.bare('orgId', 'id')} FROM ${d.table} LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
      RETURNING ${d.bare('orgId', 'botId', 'startsAt')}, ${FIGURES}, ${BINS}
    ), org AS MATERIALIZED (
      SELECT ${o('id')} FROM ${o.from} WHERE ${o('id')} IN (SELECT org_id FROM taken) ORDER BY 1 FOR KEY SHARE
    ), bot AS MATERIALIZED (
      SELECT ${b('id')} FROM ${b.from} WHERE ${b('id')} IN (SELECT bot_id FROM taken) ORDER BY 1 FOR KEY SHARE
    ), binned AS (
      SELECT org_id, bot_id, starts_at, bin, sum(n) AS n, ${mapFigureColumns((column) => `sum(${column}) FILTER (WHERE bin IS NULL) AS ${column}`)}
      FROM taken CROSS JOIN LATERAL (
        SELECT NULL::smallint AS bin, 0 AS n UNION ALL SELECT * FROM unnest(bins, bin_counts)) counted
      GROUP BY 1, 2, 3, 4
    ), spread AS (
      SELECT subject_id, span, since AS starts_at, org_id, of_bot AS bot_id, bin, sum(n) AS n,
        ${mapFigureColumns((column) => `sum(${column}) AS ${column}`)}
      FROM binned CROSS JOIN LATERAL (VALUES (org_id, NULL::uuid), (bot_id, bot_id)) subject (subject_id, of_bot)
        CROSS JOIN LATERAL (VALUES ('quarter_hour', starts_at), ('day', date_trunc('day', starts_at, 'UTC')),
          ('month', date_trunc('month', starts_at, 'UTC'))) rolled (span, since)
      WHERE org_id IN (SELECT id FROM org) AND (of_bot IS NULL OR of_bot IN (SELECT id FROM bot))
      GROUP BY 1, 2, 3, 4, 5, 6
    ), folded AS (
      INSERT INTO ${r.table} (${r.bare('subjectId', 'span', 'startsAt', 'orgId', 'botId')}, ${FIGURES}, ${BINS})
      SELECT subject_id, span, starts_at, org_id, bot_id, ${mapFigureColumns((column) => `sum(${column})`)},
        coalesce(array_agg(bin ORDER BY bin) FILTER (WHERE bin IS NOT NULL AND n <> 0), '{}'),
        coalesce(array_agg(n ORDER BY bin) FILTER (WHERE bin IS NOT NULL AND n <> 0), '{}')
      FROM spread GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3
      ON CONFLICT (${r.bare('subjectId', 'span', 'startsAt')}) DO UPDATE SET
        ${mapFigureColumns((column) => `${column} = ${r.table}.${column} + excluded.${column}`)},
        (${BINS}) = (
          SELECT coalesce(array_agg(bin ORDER BY bin), '{}'), coalesce(array_agg(n ORDER BY bin), '{}') FROM (
            SELECT bin, sum(n) AS n FROM (
              SELECT * FROM unnest(${r.table}.bins, ${r.table}.bin_counts) UNION ALL
              SELECT * FROM unnest(excluded.bins, excluded.bin_counts)) combined (bin, n)
            GROUP BY bin HAVING sum(n) <> 0) summed)
      RETURNING ${r.bare('subjectId', 'span', 'startsAt')}, bins = '{}' AND ${IS_ALL_ZERO} AS is_empty
    )
    SELECT (SELECT count(*)::int FROM taken) AS taken, coalesce(array_agg(subject_id), '{}') AS "subjectIds",
      coalesce(array_agg(span), '{}') AS spans, coalesce(array_agg(starts_at), '{}') AS "startsAt"
    FROM folded WHERE is_empty`,
});

/**
 * Totals of the analytics figures in the whole range (`part` 0), or of its n-th day (`part` n). Each
 * histogram bin of the range has its own row.
 */
export interface FigureRow extends Record<(typeof analyticsFigures)[number], number> {
  part: number;
  bin: number | null;
  count: number;
}

/**
 * Adds up analytics rollups, and deltas that are not folded yet, in one snapshot. Parameters: $1 workspace;
 * $2 bot or null. $3 to $6 are arrays with one element for each rollup period: whether it belongs to the
 * whole range or to a day, its span (`day`), its start, its end. $7 starts of the days; $8 and $9 start and
 * end of the range.
 */
export const READ_FIGURES = defineStatement<FigureRow>({
  name: 'read-figures',
  because:
    'Sums histograms and the totals of each day, in any time zone, over two tables in one snapshot (bench analytics).',
  text: `
    WITH known AS (
      SELECT CASE WHEN is_whole THEN 0 ELSE width_bucket(starts_at, $7::timestamptz[]) END AS part, ${FIGURES}, ${BINS}
      FROM unnest($3::boolean[], $4::text[], $5::timestamptz[], $6::timestamptz[]) AS requested (is_whole, span, since, until)
        CROSS JOIN LATERAL (
          SELECT ${r.bare('startsAt')}, ${FIGURES}, CASE WHEN is_whole THEN ${r('bins')} END AS bins,
            CASE WHEN is_whole THEN ${r('binCounts')} END AS bin_counts FROM ${r.from}
          WHERE ${r('orgId')} = $1 AND ${r('subjectId')} = coalesce($2::uuid, $1) AND ${r('span')} = requested.span
            AND ${r('startsAt')} >= since AND ${r('startsAt')} < until OFFSET 0) rolled
      UNION ALL
      SELECT CASE WHEN is_whole THEN 0 ELSE width_bucket(${d('startsAt')}, $7) END, ${FIGURES}, ${BINS}
      FROM ${d.from} CROSS JOIN LATERAL (
        VALUES (true) UNION ALL SELECT false WHERE cardinality($7::timestamptz[]) > 0) counted (is_whole)
      WHERE ${d('orgId')} = $1 AND ($2::uuid IS NULL OR ${d('botId')} = $2)
        AND ${d('startsAt')} >= $8 AND ${d('startsAt')} < $9
    )
    SELECT part, NULL::int AS bin, 0 AS count, ${analyticsFigures.map((figure) => `sum(${d.bare(figure)})::int AS "${figure}"`).join(', ')}
    FROM known GROUP BY part
    UNION ALL
    SELECT 0, bin, sum(n)::int, ${analyticsFigures.map(() => '0').join(', ')}
    FROM known CROSS JOIN LATERAL unnest(bins, bin_counts) counted (bin, n) WHERE part = 0 GROUP BY bin HAVING sum(n) <> 0`,
});
