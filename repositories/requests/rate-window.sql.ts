import { defineStatement, type Statement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { ASYNC_COMMIT } from '../../database/async-commit.ts';
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';

/** Levels of rate limits: of one caller, of a group of callers, and of all callers together. */
export type LimitLevel = 'own' | 'group' | 'shared';

export interface SpentWindow {
  key: string;
  used: number;
  /** Whole seconds until the time window of the rate limit ends. */
  reset: number;
}

const stored = aliasTable(RateWindow, 'stored');

const COLUMNS = stored.bare('key', 'used', 'startedAt', 'expiresAt');
const IS_OVER = `${stored('expiresAt')} <= now()`;

const COUNT = `
    ON CONFLICT (${stored.bare('key')}) DO UPDATE SET
      ${stored.bare('used')} = CASE WHEN ${IS_OVER} THEN excluded.used
                  ELSE least(${stored('used')}::bigint + excluded.used, 2000000000)::int END,
      ${stored.bare('startedAt')} = CASE WHEN ${IS_OVER} THEN now() ELSE ${stored('startedAt')} END,
      ${stored.bare('expiresAt')} = CASE WHEN ${IS_OVER} THEN excluded.expires_at ELSE ${stored('expiresAt')} END
    RETURNING ${stored.as('key', 'used')},
      ceil(extract(epoch FROM ${stored('expiresAt')} - greatest(now(), ${stored('startedAt')})))::int AS reset`;

/**
 * Counts requests that have only a rate limit for all callers together. Parameters: $1 keys, $2 window
 * lengths in seconds, $3 numbers of requests.
 */
export const SPEND_SHARED = defineStatement<SpentWindow>({
  name: 'spend-shared-rate-windows',
  because: 'Counts requests in batches, with asynchronous commit (bench get-bot).',
  isPrepared: true,
  text: `
  WITH ${ASYNC_COMMIT}
  INSERT INTO ${stored.table} AS stored (${COLUMNS})
  SELECT shared, n, now(), now() + shared_seconds * interval '1 second'
  FROM async_commit, unnest($1::text[], $2::int[], $3::int[]) AS charge (shared, shared_seconds, n) ORDER BY shared
  ${COUNT}`,
});

/**
 * Counts requests toward rate limits within the caller's transaction. Sorts them by key, so that concurrent
 * transactions wait and do not deadlock. Parameters: $1 keys, $2 numbers of requests, $3 window length in
 * seconds.
 */
export const SPEND_WITHIN = defineStatement<SpentWindow>({
  name: 'spend-rate-windows-within',
  because: 'Starts, restarts or increments windows in one statement (bench slots).',
  isPrepared: true,
  text: `
  INSERT INTO ${stored.table} AS stored (${COLUMNS})
  SELECT key, n, now(), now() + make_interval(secs => $3)
  FROM unnest($1::text[], $2::int[]) AS charge (key, n) ORDER BY key
  ${COUNT}`,
});

/**
 * Builds a statement that counts requests at several levels of rate limits. Windows of a level count only the
 * requests that previous levels have admitted, in order of arrival. Parameters: keys, limits and window
 * lengths of each level, then the numbers of requests.
 */
function buildSpend(name: string, levels: readonly LimitLevel[]): Statement<SpentWindow> {
  const columns = levels.map((level) => `${level}_key, ${level}_limit, ${level}_seconds`).join(', ');
  const types = [...levels.flatMap(() => ['text', 'int', 'int']), 'int'];
  const steps = levels.map((level, index) => {
    const source = index === 0 ? 'charges' : `after_${levels[index - 1]}`;
    return `${level}_windows AS (
    INSERT INTO ${stored.table} AS stored (${COLUMNS})
    SELECT ${level}_key, sum(n), now(), now() + max(${level}_seconds) * interval '1 second'
    FROM ${source} WHERE ${level}_key IS NOT NULL GROUP BY ${level}_key ORDER BY ${level}_key
    ${COUNT}
  ), after_${level} AS (
    SELECT ${columns}, position, CASE WHEN spent.used IS NULL THEN n ELSE greatest(0, least(n,
      ${level}_limit - spent.used + sum(n) OVER (PARTITION BY ${level}_key ORDER BY position DESC))) END AS n
    FROM ${source} LEFT JOIN ${level}_windows spent ON spent.key = ${level}_key
  )`;
  });
  return defineStatement({
    name,
    because:
      'Each level counts the requests that the previous levels admit, in one statement for a batch (bench get-bot).',
    isPrepared: true,
    text: `
  WITH ${ASYNC_COMMIT}, charges AS (
    SELECT charge.* FROM async_commit, unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')}) WITH ORDINALITY
      AS charge (${columns}, n, position)
  ), ${steps.join(', ')}
  ${levels.map((level) => `SELECT * FROM ${level}_windows`).join(' UNION ALL ')}`,
  });
}

export const SPEND = buildSpend('spend-rate-windows', ['own', 'shared']);
/**
 * Counts requests at all three levels of rate limits. Used only if a request has a group, because statements
 * with fewer levels are cheaper.
 */
export const SPEND_BY_GROUP = buildSpend('spend-rate-windows-by-group', ['own', 'group', 'shared']);
