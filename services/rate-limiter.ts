import { Batcher } from '../core/batcher.ts';
import type { Database, PreparedStatement } from '../entities/database.ts';

export interface Limit {
  /** What is counted, e.g. `org:<id>`. */
  key: string;
  /** Requests admitted in one window; 0 admits any number, uncounted. */
  limit: number;
  windowSeconds: number;
}

/** What a request spends from: the budget that its caller shares with others, and the caller's own. */
export interface Charge {
  shared: Limit;
  own?: Limit;
}

export interface LimitState {
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends. */
  resetSeconds: number;
}

export interface Verdict {
  isAdmitted: boolean;
  tightest: LimitState;
}

/** What is told where no limit applies. */
export const UNLIMITED: LimitState = { limit: 10_000_000, remaining: 10_000_000, resetSeconds: 60 };

/** The state with less left; of equal ones the one that stays so for longer. */
export function tighter(a: LimitState, b: LimitState): LimitState {
  return (a.remaining - b.remaining || b.resetSeconds - a.resetSeconds) < 0 ? a : b;
}

const COUNT = `
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN present.expires_at <= now() THEN excluded.used
                  ELSE least(present.used::bigint + excluded.used, 2000000000)::int END,
      started_at = CASE WHEN present.expires_at <= now() THEN now() ELSE present.started_at END,
      expires_at = CASE WHEN present.expires_at <= now() THEN excluded.expires_at ELSE present.expires_at END
    RETURNING key, used, ceil(extract(epoch FROM expires_at - greatest(now(), started_at)))::int AS reset`;

/** Callers' own windows count every request; shared ones, only those that the caller's own admits. */
const SPEND: PreparedStatement = {
  name: 'spend-rate-windows',
  text: `
  WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::text[], $5::int[]) WITH ORDINALITY
      AS request (own, own_limit, own_seconds, shared, shared_seconds, place)
  ), own AS (
    INSERT INTO rate_windows AS present (key, used, started_at, expires_at)
    SELECT own, count(*), now(), now() + max(own_seconds) * interval '1 second'
    FROM asked WHERE own IS NOT NULL GROUP BY own ORDER BY own
    ${COUNT}
  ), passed AS (
    SELECT shared, shared_seconds, own.used IS NULL OR own_limit >=
      own.used + 1 - row_number() OVER (PARTITION BY asked.own ORDER BY place DESC) AS is_admitted
    FROM asked LEFT JOIN own ON own.key = asked.own
  ), shared AS (
    INSERT INTO rate_windows AS present (key, used, started_at, expires_at)
    SELECT shared, count(*) FILTER (WHERE is_admitted), now(), now() + max(shared_seconds) * interval '1 second'
    FROM passed WHERE shared IS NOT NULL GROUP BY shared ORDER BY shared
    ${COUNT}
  )
  SELECT * FROM own UNION ALL SELECT * FROM shared`,
};

interface Window {
  key: string;
  used: number;
  reset: number;
}

/**
 * Counts requests in windows that start with their first request, exactly and over all processes: the
 * database counts, by its clock. Calls of the same moment are counted in one statement.
 *
 * A request that its caller's own limit refuses costs nobody else anything. A key is own in all charges, or shared in all.
 */
export class RateLimiter {
  readonly #batcher: Batcher<Partial<Charge>, Verdict>;

  constructor(database: Database) {
    this.#batcher = new Batcher((charges) => spend(database, charges));
  }

  /** Spends one request. */
  async consume(charge: Charge): Promise<Verdict> {
    const [own, shared] = [counted(charge.own), counted(charge.shared)];
    return own || shared
      ? this.#batcher.load({ ...(own && { own }), ...(shared && { shared }) })
      : { isAdmitted: true, tightest: UNLIMITED };
  }
}

function counted(limit: Limit | undefined): Limit | undefined {
  return limit?.limit ? limit : undefined;
}

async function spend(database: Database, charges: Partial<Charge>[]): Promise<Verdict[]> {
  const windows = await database.prepared<Window>(SPEND, [
    charges.map(({ own }) => own?.key),
    charges.map(({ own }) => own?.limit),
    charges.map(({ own }) => own?.windowSeconds),
    charges.map(({ shared }) => shared?.key),
    charges.map(({ shared }) => shared?.windowSeconds),
  ]);
  const byKey = new Map(windows.map((window) => [window.key, window]));
  // The last of a batch's requests on a key sees the count as stored; those before it, one less each.
  return charges
    .toReversed()
    .map(({ own, shared }): Verdict => {
      const ownUse = own && use(own, byKey, true);
      const isPassed = !ownUse?.isExceeded;
      const sharedUse = shared && use(shared, byKey, isPassed);
      return {
        isAdmitted: isPassed && !sharedUse?.isExceeded,
        tightest: tighter(ownUse ?? UNLIMITED, sharedUse ?? UNLIMITED),
      };
    })
    .reverse();
}

function use({ key, limit }: Limit, windows: Map<string, Window>, isSpent: boolean) {
  const window = windows.get(key)!;
  const { used, reset: resetSeconds } = window;
  if (isSpent) window.used -= 1;
  return { limit, remaining: Math.max(0, limit - used), resetSeconds, isExceeded: used > limit };
}
