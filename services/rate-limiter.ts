import { Batcher } from '../core/batcher.ts';
import type { Database, PreparedStatement } from '../entities/database.ts';

export interface Limit {
  /** What is counted, e.g. `org:<id>`. */
  key: string;
  /** Requests admitted in one window. */
  limit: number;
  windowSeconds: number;
}

export interface LimitState {
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends. */
  resetSeconds: number;
  isExceeded: boolean;
}

const SPEND: PreparedStatement = {
  name: 'spend-rate-window',
  text: `
    INSERT INTO rate_windows AS present (key, used, started_at, expires_at)
    SELECT key, sum(n), now(), now() + max(seconds) * interval '1 second'
    FROM unnest($1::text[], $2::int[], $3::int[]) AS asked (key, n, seconds)
    GROUP BY key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN present.expires_at <= now() THEN excluded.used
                  ELSE least(present.used::bigint + excluded.used, 2000000000)::int END,
      started_at = CASE WHEN present.expires_at <= now() THEN now() ELSE present.started_at END,
      expires_at = CASE WHEN present.expires_at <= now() THEN excluded.expires_at ELSE present.expires_at END
    RETURNING key, used, ceil(extract(epoch FROM expires_at - now()) - 0.001)::int AS reset`,
};

interface Window {
  key: string;
  used: number;
  reset: number;
}

/**
 * Counts requests in windows that start with their first request, exactly and over all processes: the
 * database counts, by its clock. Calls of the same moment are counted in one statement.
 */
export class RateLimiter {
  readonly #batcher: Batcher<Limit, LimitState>;

  constructor(database: Database) {
    this.#batcher = new Batcher((limits) => spend(database, limits));
  }

  /** Spends one request of the limit. */
  consume(limit: Limit): Promise<LimitState> {
    return this.#batcher.load(limit);
  }
}

async function spend(database: Database, limits: Limit[]): Promise<LimitState[]> {
  const windows = await database.prepared<Window>(SPEND, [
    limits.map(({ key }) => key),
    limits.map(() => 1),
    limits.map(({ windowSeconds }) => windowSeconds),
  ]);
  const byKey = new Map(windows.map((window) => [window.key, window]));
  // The last of a batch's requests on a key sees the count as stored; those before it, one less each.
  return limits
    .toReversed()
    .map(({ key, limit }): LimitState => {
      const window = byKey.get(key)!;
      const used = window.used--;
      return {
        limit,
        remaining: Math.max(0, limit - used),
        resetSeconds: Math.max(1, window.reset),
        isExceeded: used > limit,
      };
    })
    .reverse();
}
