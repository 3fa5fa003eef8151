import type { Database } from '../../database/database.ts';
import type { UsageRepository } from '../../repositories/usage/usage.repository.ts';

const BATCH = 10_000;

/** Adds usage deltas to the daily totals. */
export class UsageFold {
  readonly #usage: UsageRepository;

  constructor(usage: UsageRepository) {
    this.#usage = usage;
  }

  /**
   * Adds one batch of deltas to the totals in a single statement. A crash therefore changes nothing, and
   * concurrent calls take different deltas.
   */
  async foldBatch(database: Database): Promise<{ count: number; isMore: boolean }> {
    const count = await this.#usage.fold(database, BATCH);
    return { count, isMore: count === BATCH };
  }
}
