import type { Database } from '../../database/database.ts';
import type { UsageRepository } from '../../repositories/usage/usage.repository.ts';

const BATCH = 10_000;

/** Adds the recorded changes of usage counts to the daily totals. */
export class UsageFold {
  readonly #usage: UsageRepository;

  constructor(usage: UsageRepository) {
    this.#usage = usage;
  }

  /**
   * Adds one batch of usage changes to the totals in a single statement. A crash therefore changes nothing,
   * and concurrent calls take different changes.
   */
  async foldBatch(database: Database): Promise<{ count: number; isMore: boolean }> {
    const count = await this.#usage.fold(database, BATCH);
    return { count, isMore: count === BATCH };
  }
}
