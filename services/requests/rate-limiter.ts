import { Batcher } from '../../core/concurrency/batcher.ts';
import type { Database, PreparedStatement } from '../../database/database.ts';
import { WITHOUT_DISK } from '../../database/without-disk.ts';

export interface Limit {
  /** What is counted, e.g. `org:<id>`. */
  key: string;
  /** Requests admitted in one window; 0 admits any number, uncounted. */
  limit: number;
  windowSeconds: number;
  /** What a refused caller reads before how long to wait. */
  refusal?: string;
}

/** What a request spends from, the narrowest first: a budget counts only what those before it admit. */
export interface Charge {
  /** The caller's own. */
  own?: Limit;
  /** That the caller shares with some of those who share the last one. */
  group?: Limit;
  shared: Limit;
}

export interface LimitState {
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends. */
  resetSeconds: number;
}

export interface Verdict {
  isAdmitted: boolean;
  /** The narrowest limit that has nothing left; null where the request is admitted. */
  refusedBy: Limit | null;
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
  WITH ${WITHOUT_DISK}
  INSERT INTO rate_windows AS present (key, used, started_at, expires_at)
  SELECT shared, n, now(), now() + shared_seconds * interval '1 second'
  FROM without_disk, unnest($1::text[], $2::int[], $3::int[]) AS charge (shared, shared_seconds, n) ORDER BY shared
  ${COUNT}`,
};

/** The limits of a charge that are looked at in one statement, each with the columns that tell it. */
type Level = keyof Charge;

/** Without and with a middle one; the fewer, the cheaper. */
const TWO_LEVELS = ['own', 'shared'] as const satisfies Level[];
const THREE_LEVELS = ['own', 'group', 'shared'] as const satisfies Level[];

/** Windows of a level count only the requests that the levels before it admit, in the order in which they were asked. */
function spendBy(name: string, levels: readonly Level[]): PreparedStatement {
  const columns = levels.map((level) => `${level}_key, ${level}_limit, ${level}_seconds`).join(', ');
  const types = [...levels.flatMap(() => ['text', 'int', 'int']), 'int'];
  const steps = levels.map((level, index) => {
    const asked = index === 0 ? 'asked' : `after_${levels[index - 1]}`;
    return `${level}_windows AS (
    INSERT INTO rate_windows AS present (key, used, started_at, expires_at)
    SELECT ${level}_key, sum(n), now(), now() + max(${level}_seconds) * interval '1 second'
    FROM ${asked} WHERE ${level}_key IS NOT NULL GROUP BY ${level}_key ORDER BY ${level}_key
    ${COUNT}
  ), after_${level} AS (
    SELECT ${columns}, place, CASE WHEN spent.used IS NULL THEN n ELSE greatest(0, least(n,
      ${level}_limit - spent.used + sum(n) OVER (PARTITION BY ${level}_key ORDER BY place DESC))) END AS n
    FROM ${asked} LEFT JOIN ${level}_windows spent ON spent.key = ${level}_key
  )`;
  });
  return {
    name,
    text: `
  WITH ${WITHOUT_DISK}, asked AS (
    SELECT charge.* FROM without_disk, unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')}) WITH ORDINALITY
      AS charge (${columns}, n, place)
  ), ${steps.join(', ')}
  ${levels.map((level) => `SELECT * FROM ${level}_windows`).join(' UNION ALL ')}`,
  };
}

const SPEND = spendBy('spend-rate-windows', TWO_LEVELS);
const SPEND_BY_GROUP = spendBy('spend-rate-windows-by-group', THREE_LEVELS);

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
 * A request that a narrower limit refuses costs nobody else anything. A key is of one level in all charges.
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
    const counted: Partial<Charge> = {};
    for (const level of THREE_LEVELS) {
      const limit = charge[level];
      if (limit?.limit) counted[level] = limit;
    }
    return Object.keys(counted).length > 0
      ? this.#batcher.load(counted)
      : { isAdmitted: true, refusedBy: null, tightest: UNLIMITED, excess: 0 };
  }

  /** What is left, of which nothing is spent. */
  async peek({ key, limit, windowSeconds }: Limit): Promise<LimitState> {
    if (limit === 0) return UNLIMITED;
    const [window] = await this.#database.prepared<Window>(PEEK, [key]);
    const { used, reset } = window ?? { used: 0, reset: windowSeconds };
    return { limit, remaining: Math.max(0, limit - used), resetSeconds: reset };
  }
}

async function spend(database: Database, charges: Partial<Charge>[]): Promise<Verdict[]> {
  const equals = equalCharges(charges);
  const windows = new Map((await count(database, equals)).map((window) => [window.key, window]));
  const verdicts = equals.map(({ places }) => places.map((): Verdict | undefined => undefined));
  for (const level of THREE_LEVELS) {
    const uses = usesOf(
      windows,
      equals.map((charge, at) => ({
        limit: charge[level],
        costs: verdicts[at]!.map((before) => (before?.isAdmitted === false ? 0 : 1)),
      })),
    );
    for (const [at, charge] of equals.entries())
      verdicts[at] = verdicts[at]!.map((before, turn) => {
        const [limit, use] = [charge[level], uses[at]![turn]];
        return limit && use ? verdictOf(before, use, limit, level) : before;
      });
  }
  const inOrder: Verdict[] = [];
  for (const [at, { places }] of equals.entries())
    for (const [turn, place] of places.entries()) inOrder[place] = verdicts[at]![turn]!;
  return inOrder;
}

/** @param before by the narrower limits */
function verdictOf(before: Verdict | undefined, use: Use, limit: Limit, level: Level): Verdict {
  const refusedBy = before?.refusedBy ?? (use.isExceeded ? limit : null);
  return {
    isAdmitted: refusedBy === null,
    refusedBy,
    tightest: before ? tighter(before.tightest, use) : use,
    excess: level === 'shared' ? use.excess : 0,
  };
}

function count(database: Database, charges: EqualCharges[]): Promise<Window[]> {
  const column = (level: Level, key: keyof Limit) => charges.map((charge) => charge[level]?.[key]);
  const counts = charges.map(({ places }) => places.length);
  if (charges.every(({ own, group }) => own === undefined && group === undefined))
    return database.prepared<Window>(SPEND_SHARED, [
      column('shared', 'key'),
      column('shared', 'windowSeconds'),
      counts,
    ]);
  const hasGroups = charges.some(({ group }) => group !== undefined);
  const values = (hasGroups ? THREE_LEVELS : TWO_LEVELS).flatMap((level) => [
    column(level, 'key'),
    column(level, 'limit'),
    column(level, 'windowSeconds'),
  ]);
  return database.prepared<Window>(hasGroups ? SPEND_BY_GROUP : SPEND, [...values, counts]);
}

interface EqualCharges extends Partial<Charge> {
  /** Where they stand among all charges. */
  places: number[];
}

function equalCharges(charges: Partial<Charge>[]): EqualCharges[] {
  const byKeys = new Map<string, EqualCharges>();
  for (const [place, charge] of charges.entries()) {
    const keys = THREE_LEVELS.map((level) => charge[level]?.key).join(' ');
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
