import { Batcher } from '../../core/concurrency/batcher.ts';
import type { Database } from '../../database/database.ts';
import {
  RateWindowRepository,
  type WindowLimit,
} from '../../repositories/requests/rate-window.repository.ts';
import type { LimitLevel, SpentWindow } from '../../repositories/requests/rate-window.sql.ts';

/** Where `limit` is 0, it admits any number, uncounted. */
export interface Limit extends WindowLimit {
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

/** The narrowest first. */
const LEVELS = ['own', 'group', 'shared'] as const satisfies LimitLevel[];

/**
 * Counts requests in windows that start with their first request, exactly and over all processes: the
 * database counts, by its clock. Calls of the same moment are counted in one statement, whose commit waits for no disk:
 * counts of the last moment may be lost with the server.
 *
 * A request that a narrower limit refuses costs nobody else anything. A key is of one level in all charges.
 */
export class RateLimiter {
  readonly #windows: RateWindowRepository;
  readonly #batcher: Batcher<Partial<Charge>, Verdict>;

  constructor(database: Database) {
    const windows = new RateWindowRepository(database);
    this.#windows = windows;
    this.#batcher = new Batcher((charges) => spend(windows, charges), 1);
  }

  /** Spends one request. */
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

  /** What is left, of which nothing is spent. */
  async peek(db: Database, { key, limit, windowSeconds }: Limit): Promise<LimitState> {
    if (limit === 0) return UNLIMITED;
    const { used, reset } = (await this.#windows.find(db, key)) ?? { used: 0, reset: windowSeconds };
    return { limit, remaining: Math.max(0, limit - used), resetSeconds: reset };
  }
}

async function spend(rows: RateWindowRepository, charges: Partial<Charge>[]): Promise<Verdict[]> {
  const equals = equalCharges(charges);
  const spent = await rows.spend(equals.map((charge) => ({ ...charge, count: charge.places.length })));
  const windows = new Map(spent.map((window) => [window.key, window]));
  const verdicts = equals.map(({ places }) => places.map((): Verdict | undefined => undefined));
  for (const level of LEVELS) {
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
function verdictOf(before: Verdict | undefined, use: Use, limit: Limit, level: LimitLevel): Verdict {
  const refusedBy = before?.refusedBy ?? (use.isExceeded ? limit : null);
  return {
    isAdmitted: refusedBy === null,
    refusedBy,
    tightest: before ? tighter(before.tightest, use) : use,
    excess: level === 'shared' ? use.excess : 0,
  };
}

interface EqualCharges extends Partial<Charge> {
  /** Where they stand among all charges. */
  places: number[];
}

function equalCharges(charges: Partial<Charge>[]): EqualCharges[] {
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
 * How each of the requests has left its window, by the windows as the statement has left them: that takes equal charges
 * together, and so the one after the other.
 * @param charges with what each of their requests cost
 */
function usesOf(
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
