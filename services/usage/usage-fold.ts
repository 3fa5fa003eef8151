import type { Database } from '../../database/database.ts';
import type { UsageRepository } from '../../repositories/usage/usage.repository.ts';

const BATCH = 10_000;

/** Adds what was used to its days. */
export class UsageFold {
  readonly #usage: UsageRepository;

  constructor(usage: UsageRepository) {
    this.#usage = usage;
  }

  /** Whoever dies meanwhile has added nothing, and whoever does it at the same moment adds others. */
  async foldBatch(database: Database): Promise<{ count: number; isMore: boolean }> {
    const count = await this.#usage.fold(database, BATCH);
    return { count, isMore: count === BATCH };
  }
}
