import type { FairQueueOptions } from '../../core/concurrency/fair-queue.ts';
import { createRateLimitedError, type AppError } from '../../core/errors/errors.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { isTimedOut } from '../../database/transaction.ts';
import { PayerQueue } from './payer-queue.ts';

/**
 * Reason why a search has no result: its payer got no slot in time, or a database statement took too long.
 */
export type SearchRefusal = 'out_of_turn' | 'timed_out';

interface SearchLimitsOptions extends Pick<FairQueueOptions, 'slots' | 'maxWaiting'> {
  /** Seconds that each database statement of a search may take. */
  timeoutSeconds: number;
}

const MAX_WAIT_MS = 10_000;
const RETRY_SECONDS = 2;

/**
 * Limits concurrent searches whose cost depends on text from strangers. Payers share the slots fairly, and
 * the number of slots is smaller than the number of database connections. A timeout limits each statement.
 */
export class SearchLimits {
  readonly timeoutSeconds: number;
  readonly #queue: PayerQueue;

  constructor({ timeoutSeconds, ...queue }: SearchLimitsOptions) {
    this.timeoutSeconds = timeoutSeconds;
    this.#queue = new PayerQueue({ ...queue, maxWaitMs: MAX_WAIT_MS });
  }

  /**
   * Runs a search in a transaction of its own when a slot is free.
   * @throws Error within a transaction, which would occupy a connection while the search waits
   */
  async run<T extends object>(
    scope: OrgScope,
    search: (scope: OrgScope) => Promise<T>,
  ): Promise<T | SearchRefusal> {
    if (scope.db.isTransaction) throw new Error('A search must not wait for a slot within a transaction.');
    const runSearch = () => this.#runWithTimeout(scope, search);
    return this.#queue.run(scope, runSearch, new AbortController().signal);
  }

  /** Runs the search with a timeout for its database statements, which ends with the transaction. */
  async #runWithTimeout<T>(
    scope: OrgScope,
    search: (scope: OrgScope) => Promise<T>,
  ): Promise<T | 'timed_out'> {
    try {
      return await inTransaction(scope, async (tx) => {
        // Starts the search without waiting, so that its first statement shares the round trip with the
        // timeout.
        const [, found] = await Promise.all([tx.db.limitStatements(this.timeoutSeconds), search(tx)]);
        return found;
      });
    } catch (error) {
      if (!isTimedOut(error)) throw error;
      return 'timed_out';
    }
  }
}

/** Creates the error for a search that got no slot in time. */
export function tooManySearches(): AppError {
  return createRateLimitedError(
    'The workspace has too many concurrent searches',
    RETRY_SECONDS,
    'concurrent searches',
  );
}
