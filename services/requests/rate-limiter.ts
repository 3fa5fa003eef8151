import { Batcher } from '../../core/concurrency/batcher.ts';
import type { Database } from '../../database/database.ts';
import {
  RateWindowRepository,
  type WindowLimit,
} from '../../repositories/requests/rate-window.repository.ts';
import type { LimitLevel, SpentWindow } from '../../repositories/requests/rate-window.sql.ts';

/** A limit of 0 admits all requests without counting them. */
export interface Limit extends WindowLimit {
  /** Beginning of the error message, before the time to wait. */
  refusal?: string;
}

/** Limits that a request counts against, the narrowest first. A limit counts only requests that the narrower ones admit. */
export interface Charge {
  /** The caller's own limit. */
  own?: Limit;
  /** A limit that the caller shares with a part of the callers of `shared`. */
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
  /** The narrowest exceeded limit; null if the request is admitted. */
  refusedBy: Limit | null;
  tightest: LimitState;
  /** Requests beyond the shared limit in its current window, including this one. */
  excess: number;
}

/** State that callers see if no limit applies. */
export const UNLIMITED: LimitState = { limit: 10_000_000, remaining: 10_000_000, resetSeconds: 60 };

/** Returns the state with less remaining; between equal ones, the one that resets later. */
export function pickTighter(a: LimitState, b: LimitState): LimitState {
  return (a.remaining - b.remaining || b.resetSeconds - a.resetSeconds) < 0 ? a : b;
}

/** Levels of limits, the narrowest first. */
const LEVELS = ['own', 'group', 'shared'] as const satisfies LimitLevel[];

/**
 * Counts requests in windows that start with their first request. The database counts by its own clock, exactly and for
 * all processes. Concurrent calls share one statement with an asynchronous commit: a crash of the database server may lose
 * the latest counts.
 *
 * A request that a narrower limit refuses does not count against the wider ones. A key has the same level in all charges.
 */
export class RateLimiter {
  readonly #windows: RateWindowRepository;
  readonly #batcher: Batcher<Partial<Charge>, Verdict>;

  constructor(database: Database) {
    const windows = new RateWindowRepository(database);
    this.#windows = windows;
    this.#batcher = new Batcher((charges) => spendCharges(windows, charges), 1);
  }

  /** Counts one request. */
  async consume(charge: Charge): Promise<Verdict> {
    const counted: Partial<Charge> = {};
    for (const level of LEVELS) {
      const limit = charge[level];
      if (limit?.limit) counted[level] = limit;
    }
    return Object.keys(counted).length > 0
      ? this.#batcher.load(counted)
      : { isAdmitted: true, refusedBy: null, tightest: UNLIMITED, excess: 0 };
  }

  /** Returns the state of a limit without counting a request. */
  async peek(db: Database, { key, limit, windowSeconds }: Limit): Promise<LimitState> {
    if (limit === 0) return UNLIMITED;
    const { used, reset } = (await this.#windows.find(db, key)) ?? { used: 0, reset: windowSeconds };
    return { limit, remaining: Math.max(0, limit - used), resetSeconds: reset };
  }
}

async function spendCharges(rows: RateWindowRepository, charges: Partial<Charge>[]): Promise<Verdict[]> {
  const equals = groupEqualCharges(charges);
  const spent = await rows.spend(equals.map((charge) => ({ ...charge, count: charge.places.length })));
  const windows = new Map(spent.map((window) => [window.key, window]));
  const verdicts = equals.map(({ places }) => places.map((): Verdict | undefined => undefined));
  for (const level of LEVELS) {
    const uses = replayUses(
      windows,
      equals.map((charge, at) => ({
        limit: charge[level],
        costs: verdicts[at]!.map((before) => (before?.isAdmitted === false ? 0 : 1)),
      })),
    );
    for (const [at, charge] of equals.entries())
      verdicts[at] = verdicts[at]!.map((before, turn) => {
        const [limit, use] = [charge[level], uses[at]![turn]];
        return limit && use ? toVerdict(before, use, limit, level) : before;
      });
  }
  const inOrder: Verdict[] = [];
  for (const [at, { places }] of equals.entries())
    for (const [turn, place] of places.entries()) inOrder[place] = verdicts[at]![turn]!;
  return inOrder;
}

/** @param before verdict of the narrower limits */
function toVerdict(before: Verdict | undefined, use: Use, limit: Limit, level: LimitLevel): Verdict {
  const refusedBy = before?.refusedBy ?? (use.isExceeded ? limit : null);
  return {
    isAdmitted: refusedBy === null,
    refusedBy,
    tightest: before ? pickTighter(before.tightest, use) : use,
    excess: level === 'shared' ? use.excess : 0,
  };
}

interface EqualCharges extends Partial<Charge> {
  /** Indexes of these charges in the batch. */
  places: number[];
}

function groupEqualCharges(charges: Partial<Charge>[]): EqualCharges[] {
  const byKeys = new Map<string, EqualCharges>();
  for (const [place, charge] of charges.entries()) {
    const keys = LEVELS.map((level) => charge[level]?.key).join(' ');
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
 * Returns the state of the window after each request. The statement returns only the final state of each window, so the
 * counts are replayed: groups of equal charges in order, and within them the requests in order.
 * @param charges limit of each group, and the cost of each of its requests
 */
function replayUses(
  windows: ReadonlyMap<string, SpentWindow>,
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
