import type { Database } from '../../database/database.ts';
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';
import { SPEND, SPEND_BY_GROUP, SPEND_SHARED, SPEND_WITHIN } from './rate-window.sql.ts';
import type { LimitLevel, SpentWindow } from './rate-window.sql.ts';

export interface WindowLimit {
  /** Key of the counter of a rate limit, for example `org:<id>`. */
  key: string;
  /** Maximum number of requests in one time window of a rate limit. */
  limit: number;
  windowSeconds: number;
}

/** A number of requests (`count`) and the rate limits toward which they count. */
export type CountedCharge = { [L in LimitLevel]?: WindowLimit | undefined } & { count: number };

/** Counts requests in the time windows of rate limits, by the clock of the database. */
export class RateWindowRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Counts requests toward rate limits, and returns the state of their time windows afterwards. */
  spend(charges: readonly CountedCharge[]): Promise<SpentWindow[]> {
    const pluck = (level: LimitLevel, key: keyof WindowLimit) =>
      charges.map((charge) => charge[level]?.[key]);
    const pluckLevels = (...levels: LimitLevel[]) =>
      levels.flatMap((level) => [pluck(level, 'key'), pluck(level, 'limit'), pluck(level, 'windowSeconds')]);
    const counts = charges.map(({ count }) => count);
    if (charges.some(({ group }) => group !== undefined))
      return this.#db.run(SPEND_BY_GROUP, [...pluckLevels('own', 'group', 'shared'), counts]);
    if (charges.some(({ own }) => own !== undefined))
      return this.#db.run(SPEND, [...pluckLevels('own', 'shared'), counts]);
    return this.#db.run(SPEND_SHARED, [pluck('shared', 'key'), pluck('shared', 'windowSeconds'), counts]);
  }

  /**
   * Counts one request toward a rate limit within the caller's transaction. Concurrent requests with the same
   * key wait until the transaction ends; a rollback undoes the count.
   */
  async spendWithin(db: Database, key: string, windowSeconds: number): Promise<SpentWindow> {
    const [window] = await db.run(SPEND_WITHIN, [[key], [1], windowSeconds]);
    return window!;
  }

  /** Counts requests toward several rate limits with distinct keys at once, like `spendWithin`. */
  async spendAllWithin(
    db: Database,
    charges: readonly { key: string; count: number }[],
    windowSeconds: number,
  ): Promise<ReadonlyMap<string, SpentWindow>> {
    const keys = charges.map(({ key }) => key);
    const counts = charges.map(({ count }) => count);
    const rateWindows = await db.run(SPEND_WITHIN, [keys, counts, windowSeconds]);
    return new Map(rateWindows.map((window) => [window.key, window]));
  }

  /** Returns the current time window of a rate limit's key; null if the key has none. */
  async find(db: Database, key: string): Promise<SpentWindow | null> {
    const window = await db
      .repository(RateWindow)
      .createQueryBuilder('row')
      .select('row.key', 'key')
      .addSelect('row.used', 'used')
      .addSelect('ceil(extract(epoch FROM row.expiresAt - now()))::int', 'reset')
      .where('row.key = :key AND row.expiresAt > now()', { key })
      .getRawOne<SpentWindow>();
    return window ?? null;
  }
}
