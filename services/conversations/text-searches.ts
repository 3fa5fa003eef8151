import { AppError, invalidField } from '../../core/errors/errors.ts';
import { FairQueue } from '../../core/concurrency/fair-queue.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { isTimedOut } from '../../database/transaction.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';

/** Concurrent searches of each process: fewer than it has connections, so that other requests find one. */
const PLACES = 4;
const WAITING_FOR_EACH_PLACE = 8;
const LONGEST_WAIT_MS = 10_000;
const RETRY_SECONDS = 2;

/**
 * Places for searches through all that was said in a workspace, or all whom it knows. What stands in most conversations, or is
 * shorter than the index can look for, takes seconds in a large one; however many ask for that, they leave the database's
 * connections, and places, to the others, and none has its place for long.
 */
export class TextSearches {
  readonly #queue: FairQueue;
  readonly #longestSeconds: number;

  constructor({ searchSeconds }: Pick<Settings, 'searchSeconds'>) {
    this.#longestSeconds = searchSeconds;
    this.#queue = new FairQueue({
      slots: PLACES,
      maxWaiting: PLACES * WAITING_FOR_EACH_PLACE,
      maxWaitMs: LONGEST_WAIT_MS,
    });
  }

  /**
   * @throws AppError `rate_limited` where the workspace has more under way than can be done soon; `validation_error` for a
   *   text that takes too long to look for
   */
  async run<T extends object>(scope: OrgScope, search: (scope: OrgScope) => Promise<T>): Promise<T> {
    const bounded = () => this.#bounded(scope, search);
    const found = await this.#queue.run(scope.orgId, bounded, new AbortController().signal);
    if (found !== 'out_of_turn') return found;
    const message = `The workspace has too many searches under way; wait ${RETRY_SECONDS} s.`;
    throw new AppError('rate_limited', message, { headers: { 'Retry-After': String(RETRY_SECONDS) } });
  }

  /** The bound is the transaction's alone: others who get the connection have their own. */
  async #bounded<T>(scope: OrgScope, search: (scope: OrgScope) => Promise<T>): Promise<T> {
    const seconds = this.#longestSeconds;
    try {
      return await inTransaction(scope, async (tx) => {
        await tx.db.limitStatements(seconds);
        return search(tx);
      });
    } catch (error) {
      if (!isTimedOut(error)) throw error;
      throw invalidField(
        'q',
        `takes longer than ${seconds} s to look for here; write more of the text, or add other filters`,
        'query',
      );
    }
  }
}
