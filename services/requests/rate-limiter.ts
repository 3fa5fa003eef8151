import { Batcher } from '../../core/concurrency/batcher.ts';
import type { Database } from '../../database/database.ts';
import {
  RateWindowRepository,
  type WindowLimit,
} from '../../repositories/requests/rate-window.repository.ts';
import type { LimitLevel, SpentWindow } from '../../repositories/requests/rate-window.sql.ts';

/** Maximum number of requests in a window of time; 0 admits all requests without counting them. */
export interface Limit extends WindowLimit {
  /** First part of the error message for a refused request; the time to wait follows. */
  refusal?: string;
  /** Name of the limit or of its setting, shown in the log of requests. */
  name?: string;
}

/**
 * Limits that one request counts against, from the narrowest (`own`) to the widest (`shared`). A request that
 * a narrower limit refuses does not count against the wider limits.
 */
export interface Charge {
  /** Limit of this caller alone, for example of an API key. */
  own?: Limit;
  /** Limit that some of the callers of the limit `shared` have in common. */
  group?: Limit;
  shared: Limit;
}

export interface LimitState {
  limit: number;
  remaining: number;
  /** Seconds until the limit's window of time ends, rounded up. */
  resetSeconds: number;
}

export interface RateLimitDecision {
  isAdmitted: boolean;
  /** The narrowest limit that the request exceeds; null if the request is admitted. */
  refusedBy: Limit | null;
  tightest: LimitState;
  /** Number of requests beyond the limit `shared` in its current window, including this request. */
  excess: number;
}

/** State of a limit that response headers show if no limit applies. */
export const UNLIMITED: LimitState = { limit: 10_000_000, remaining: 10_000_000, resetSeconds: 60 };

/**
 * Returns the limit's state with fewer remaining requests. If both have equally many, returns the state that
 * resets later.
 */
export function pickTighter(a: LimitState, b: LimitState): LimitState {
  return (a.remaining - b.remaining || b.resetSeconds - a.resetSeconds) < 0 ? a : b;
}

/** Names of the limits that a request counts against, from the narrowest to the widest. */
const LEVELS = ['own', 'group', 'shared'] as const satisfies LimitLevel[];

/**
 * Counts requests in windows of time; a window starts with its first request. The database counts for all
 * processes, by its own clock. Concurrent calls share one statement with an asynchronous commit, so a crash
 * of the database server may lose the latest counts. The same key must not be used for limits of different
 * levels (`own`, `group`, `shared`).
 */
export class RateLimiter {
  readonly #rateWindows: RateWindowRepository;
  readonly #batcher: Batcher<Partial<Charge>, RateLimitDecision>;

  constructor(database: Database) {
    const rateWindows = new RateWindowRepository(database);
    this.#rateWindows = rateWindows;
    this.#batcher = new Batcher((charges) => spendCharges(rateWindows, charges), 1);
  }

  /** Counts one request against its limits and returns whether it is admitted. */
  async consume(charge: Charge): Promise<RateLimitDecision> {
    const counted: Partial<Charge> = {};
    for (const level of LEVELS) {
      const limit = charge[level];
      if (limit?.limit) counted[level] = limit;
    }
    return Object.keys(counted).length > 0
      ? this.#batcher.load(counted)
      : { isAdmitted: true, refusedBy: null, tightest: UNLIMITED, excess: 0 };
  }

  /** Returns the state of a rate limit without counting a request. */
  async peek(db: Database, { key, limit, windowSeconds }: Limit): Promise<LimitState> {
    if (limit === 0) return UNLIMITED;
    const { used, reset } = (await this.#rateWindows.find(db, key)) ?? { used: 0, reset: windowSeconds };
    return { limit, remaining: Math.max(0, limit - used), resetSeconds: reset };
  }
}

async function spendCharges(
  rows: RateWindowRepository,
  charges: Partial<Charge>[],
): Promise<RateLimitDecision[]> {
  const equals = groupEqualCharges(charges);
  const outcomes = await rows.spend(equals.map((charge) => ({ ...charge, count: charge.positions.length })));
  const rateWindows = new Map(outcomes.map((window) => [window.key, window]));
  const decisions = equals.map(({ positions }) =>
    positions.map((): RateLimitDecision | undefined => undefined),
  );
  for (const level of LEVELS) {
    const uses = replayUses(
      rateWindows,
      equals.map((charge, at) => ({
        limit: charge[level],
        costs: decisions[at]!.map((before) => (before?.isAdmitted === false ? 0 : 1)),
      })),
    );
    for (const [at, charge] of equals.entries())
      decisions[at] = decisions[at]!.map((before, turn) => {
        const [limit, use] = [charge[level], uses[at]![turn]];
        return limit && use ? toDecision(before, use, limit, level) : before;
      });
  }
  const inOrder: RateLimitDecision[] = [];
  for (const [at, { positions }] of equals.entries())
    for (const [turn, position] of positions.entries()) inOrder[position] = decisions[at]![turn]!;
  return inOrder;
}

/** @param before decision of the narrower limits; undefined for the narrowest */
function toDecision(
  before: RateLimitDecision | undefined,
  use: Use,
  limit: Limit,
  level: LimitLevel,
): RateLimitDecision {
  const refusedBy = before?.refusedBy ?? (use.isExceeded ? limit : null);
  return {
    isAdmitted: refusedBy === null,
    refusedBy,
    tightest: before ? pickTighter(before.tightest, use) : use,
    excess: level === 'shared' ? use.excess : 0,
  };
}

interface EqualCharges extends Partial<Charge> {
  /** Positions in the batch of the requests that count against exactly these limits. */
  positions: number[];
}

function groupEqualCharges(charges: Partial<Charge>[]): EqualCharges[] {
  const byKeys = new Map<string, EqualCharges>();
  for (const [position, charge] of charges.entries()) {
    const keys = LEVELS.map((level) => charge[level]?.key).join(' ');
    const equalCharges = byKeys.get(keys);
    if (equalCharges) equalCharges.positions.push(position);
    else byKeys.set(keys, { ...charge, positions: [position] });
  }
  return [...byKeys.values()];
}

interface Use extends LimitState {
  isExceeded: boolean;
  excess: number;
}

/**
 * Returns the state of each limit's window after each request of a batch. The statement returns only the
 * window's final state, so this function computes the earlier states again, in the order of groups and then
 * of requests.
 * @param charges limit of each group of equal charges, and the cost of each request in the group
 */
function replayUses(
  rateWindows: ReadonlyMap<string, SpentWindow>,
  charges: { limit: Limit | undefined; costs: number[] }[],
): (Use | undefined)[][] {
  for (const { limit, costs } of charges) {
    if (limit) rateWindows.get(limit.key)!.used -= costs.reduce((sum, cost) => sum + cost, 0);
  }
  return charges.map(({ limit, costs }) => {
    if (!limit) return costs.map(() => undefined);
    const window = rateWindows.get(limit.key)!;
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
