import { AppError, invalidField } from '../../core/errors/errors.ts';
import { FairQueue } from '../../core/concurrency/fair-queue.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { isTimedOut } from '../../database/transaction.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';

/**
 * Concurrent text searches in each process. Fewer than its database connections, so that other requests get
 * one.
 */
const SLOTS = 4;
const MAX_WAITING_PER_SLOT = 8;
const MAX_WAIT_MS = 10_000;
const RETRY_SECONDS = 2;

/**
 * Limits text searches in a workspace's conversations and contacts. Very common texts, or texts too short for
 * the index, take seconds in a large workspace. Searches queue fairly across workspaces, and a timeout limits
 * each one.
 */
export class TextSearches {
  readonly #queue: FairQueue;
  readonly #timeoutSeconds: number;

  constructor({ searchSeconds }: Pick<Settings, 'searchSeconds'>) {
    this.#timeoutSeconds = searchSeconds;
    this.#queue = new FairQueue({
      slots: SLOTS,
      maxWaiting: SLOTS * MAX_WAITING_PER_SLOT,
      maxWaitMs: MAX_WAIT_MS,
    });
  }

  /**
   * Runs a search when a slot is free.
   * @throws AppError `rate_limited` if no slot became free in time; `validation_error` if the search exceeds
   *   its timeout
   */
  async run<T extends object>(scope: OrgScope, search: (scope: OrgScope) => Promise<T>): Promise<T> {
    const runSearch = () => this.#runWithTimeout(scope, search);
    const found = await this.#queue.run(scope.orgId, runSearch, new AbortController().signal);
    if (found !== 'out_of_turn') return found;
    const message = `The workspace has too many searches under way; wait ${RETRY_SECONDS} s.`;
    throw new AppError('rate_limited', message, { headers: { 'Retry-After': String(RETRY_SECONDS) } });
  }

  /**
   * Runs the search in a transaction with a statement timeout. Later users of the connection are not
   * affected.
   */
  async #runWithTimeout<T>(scope: OrgScope, search: (scope: OrgScope) => Promise<T>): Promise<T> {
    const seconds = this.#timeoutSeconds;
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
