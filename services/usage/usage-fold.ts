import type { Database } from '../../database/database.ts';
import type { UsageRepository } from '../../repositories/usage/usage.repository.ts';

const BATCH = 10_000;

/** Rolls up usage deltas into days. */
export class UsageFold {
  readonly #usage: UsageRepository;

  constructor(usage: UsageRepository) {
    this.#usage = usage;
  }

  /** Rolls up one batch in a single statement: a crash changes nothing, and concurrent calls take other deltas. */
  async foldBatch(database: Database): Promise<{ count: number; isMore: boolean }> {
    const count = await this.#usage.fold(database, BATCH);
    return { count, isMore: count === BATCH };
  }
}
