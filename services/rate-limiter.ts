import { Batcher } from '../core/batcher.ts';
import type { Database, PreparedStatement } from '../entities/database.ts';
import { AT_ONCE } from '../repositories/at-once.ts';

export interface Limit {
  /** What is counted, e.g. `org:<id>`. */
  key: string;
  /** Requests admitted in one window; 0 admits any number, uncounted. */
  limit: number;
  windowSeconds: number;
  /** What a refused caller reads before how long to wait. */
  refusal?: string;
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
  /** Requests beyond the shared limit in its present window, with this one. */
  excess: number;
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

/** Where no caller has a limit of its own. */
const SPEND_SHARED: PreparedStatement = {
  name: 'spend-shared-rate-windows',
  text: `
  WITH ${AT_ONCE}
  INSERT INTO rate_windows AS present (key, used, started_at, expires_at)
  SELECT shared, n, now(), now() + shared_seconds * interval '1 second'
  FROM at_once, unnest($1::text[], $2::int[], $3::int[]) AS charge (shared, shared_seconds, n) ORDER BY shared
  ${COUNT}`,
};

/** Callers' own windows count every request; shared ones, only those that the caller's own admits. */
const SPEND: PreparedStatement = {
  name: 'spend-rate-windows',
  text: `
  WITH ${AT_ONCE}, asked AS (
    SELECT charge.* FROM at_once, unnest($1::text[], $2::int[], $3::int[], $4::text[], $5::int[], $6::int[]) WITH ORDINALITY
      AS charge (own, own_limit, own_seconds, shared, shared_seconds, n, place)
  ), own AS (
    INSERT INTO rate_windows AS present (key, used, started_at, expires_at)
    SELECT own, sum(n), now(), now() + max(own_seconds) * interval '1 second'
    FROM asked WHERE own IS NOT NULL GROUP BY own ORDER BY own
    ${COUNT}
  ), passed AS (
    SELECT shared, shared_seconds,
      CASE WHEN own.used IS NULL THEN n ELSE greatest(0, least(n,
        own_limit - own.used + sum(n) OVER (PARTITION BY asked.own ORDER BY place DESC))) END AS admitted
    FROM asked LEFT JOIN own ON own.key = asked.own
  ), shared AS (
    INSERT INTO rate_windows AS present (key, used, started_at, expires_at)
    SELECT shared, sum(admitted), now(), now() + max(shared_seconds) * interval '1 second'
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

const PEEK: PreparedStatement = {
  name: 'peek-rate-window',
  text: `
  SELECT key, used, ceil(extract(epoch FROM expires_at - now()))::int AS reset
  FROM rate_windows WHERE key = $1 AND expires_at > now()`,
};

/**
 * Counts requests in windows that start with their first request, exactly and over all processes: the
 * database counts, by its clock. Calls of the same moment are counted in one statement, whose commit waits for no disk:
 * counts of the last moment may be lost with the server.
 *
 * A request that its caller's own limit refuses costs nobody else anything. A key is own in all charges, or shared in all.
 */
export class RateLimiter {
  readonly #database: Database;
  readonly #batcher: Batcher<Partial<Charge>, Verdict>;

  constructor(database: Database) {
    this.#database = database;
    this.#batcher = new Batcher((charges) => spend(database, charges), 1);
  }

  /** Spends one request. */
  async consume(charge: Charge): Promise<Verdict> {
    const [own, shared] = [counted(charge.own), counted(charge.shared)];
    return own || shared
      ? this.#batcher.load({ ...(own && { own }), ...(shared && { shared }) })
      : { isAdmitted: true, tightest: UNLIMITED, excess: 0 };
  }

  /** What is left, of which nothing is spent. */
  async peek({ key, limit, windowSeconds }: Limit): Promise<LimitState> {
    if (limit === 0) return UNLIMITED;
    const [window] = await this.#database.prepared<Window>(PEEK, [key]);
    const { used, reset } = window ?? { used: 0, reset: windowSeconds };
    return { limit, remaining: Math.max(0, limit - used), resetSeconds: reset };
  }
}

function counted(limit: Limit | undefined): Limit | undefined {
  return limit?.limit ? limit : undefined;
}

async function spend(database: Database, charges: Partial<Charge>[]): Promise<Verdict[]> {
  const equals = equalCharges(charges);
  const windows = new Map((await count(database, equals)).map((window) => [window.key, window]));
  const own = usesOf(
    windows,
    equals.map(({ own: limit, places }) => ({ limit, costs: places.map(() => 1) })),
  );
  const shared = usesOf(
    windows,
    equals.map(({ shared: limit }, at) => ({
      limit,
      costs: own[at]!.map((use) => (use?.isExceeded ? 0 : 1)),
    })),
  );
  const verdicts: Verdict[] = [];
  for (const [at, { places }] of equals.entries())
    for (const [turn, place] of places.entries())
      verdicts[place] = verdictOf(own[at]![turn], shared[at]![turn]);
  return verdicts;
}

function verdictOf(own: Use | undefined, shared: Use | undefined): Verdict {
  return {
    isAdmitted: !own?.isExceeded && !shared?.isExceeded,
    tightest: own && shared ? tighter(own, shared) : (own ?? shared ?? UNLIMITED),
    excess: shared?.excess ?? 0,
  };
}

function count(database: Database, charges: EqualCharges[]): Promise<Window[]> {
  const shared = [
    charges.map(({ shared: limit }) => limit?.key),
    charges.map(({ shared: limit }) => limit?.windowSeconds),
    charges.map(({ places }) => places.length),
  ];
  if (charges.every(({ own }) => own === undefined)) return database.prepared<Window>(SPEND_SHARED, shared);
  return database.prepared<Window>(SPEND, [
    charges.map(({ own }) => own?.key),
    charges.map(({ own }) => own?.limit),
    charges.map(({ own }) => own?.windowSeconds),
    ...shared,
  ]);
}

interface EqualCharges extends Partial<Charge> {
  /** Where they stand among all charges. */
  places: number[];
}

function equalCharges(charges: Partial<Charge>[]): EqualCharges[] {
  const byKeys = new Map<string, EqualCharges>();
  for (const [place, charge] of charges.entries()) {
    const keys = `${charge.own?.key} ${charge.shared?.key}`;
    const known = byKeys.get(keys);
    if (known) known.places.push(place);
    else byKeys.set(keys, { ...charge, places: [place] });
  }
  return [...byKeys.values()];
}

interface Use extends LimitState {
  isExceeded: boolean;
  excess: number;
}

/**
 * How each of the requests has left its window, by the windows as the statement has left them: that takes equal charges
 * together, and so the one after the other.
 * @param charges with what each of their requests cost
 */
function usesOf(
  windows: ReadonlyMap<string, Window>,
  charges: { limit: Limit | undefined; costs: number[] }[],
): (Use | undefined)[][] {
  for (const { limit, costs } of charges) {
    if (limit) windows.get(limit.key)!.used -= costs.reduce((sum, cost) => sum + cost, 0);
  }
  return charges.map(({ limit, costs }) => {
    if (!limit) return costs.map(() => undefined);
    const window = windows.get(limit.key)!;
    return costs.map((cost) => {
      window.used += cost;
      return {
        limit: limit.limit,
        remaining: Math.max(0, limit.limit - window.used),
        resetSeconds: window.reset,
        isExceeded: window.used > limit.limit,
        excess: Math.max(0, window.used - limit.limit),
      };
    });
  });
}
