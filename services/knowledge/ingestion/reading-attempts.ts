import { UnreadableDocument } from '../../../adapters/extraction/unreadable-document.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Document } from '../../../entities/knowledge/document.entity.ts';
import type { Revision, RevisionRepository } from '../../../repositories/knowledge/revision.repository.ts';
import { PayerQueue } from '../../requests/payer-queue.ts';

/**
 * Number of crashed attempts after which a document is no longer read. A single crash may be chance, such as
 * a lack of memory or an operator's `kill`.
 */
const MAX_CRASHES = 3;
const MAX_WAITING = 16;
/**
 * Maximum wait in milliseconds until a document that may have crashed a worker gets the slot for such
 * documents. The wait is short, since the caller occupies a slot for reading during this time.
 */
const MAX_WAIT_MS = 2000;

/**
 * Counts attempts to read a document in its row, before the attempts begin. An attempt that crashes the
 * worker does not end, so it remains counted.
 */
export class ReadingAttempts {
  readonly #revisions: Pick<RevisionRepository, 'update'>;
  /**
   * Slot for documents that were being read when a worker crashed ("suspects"). Any of them may have caused
   * the crash.
   */
  readonly #suspects = new PayerQueue({ slots: 1, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS });

  constructor(revisions: Pick<RevisionRepository, 'update'>) {
    this.#revisions = revisions;
  }

  /**
   * Runs an attempt to read a document. Reads documents that may have crashed a worker one at a time, so that
   * a further crash counts for only one document. Returns `out_of_turn` if the slot for them does not become
   * free in time.
   * @throws UnreadableDocument if earlier attempts crashed the worker too often
   */
  run<T>(
    scope: OrgScope,
    document: Document,
    attempt: { revision: Revision; signal: AbortSignal | undefined; work: () => Promise<T> },
  ): Promise<T | 'out_of_turn'> {
    const { signal = new AbortController().signal } = attempt;
    const runCounted = () => this.#runCounted(scope, document, attempt);
    return isSuspect(document) ? this.#suspects.run(scope, runCounted, signal) : runCounted();
  }

  async #runCounted<T>(
    scope: OrgScope,
    { readingAttempts }: Document,
    { revision, work }: { revision: Revision; work: () => Promise<T> },
  ): Promise<T> {
    if (readingAttempts >= MAX_CRASHES)
      throw new UnreadableDocument(
        'crashes',
        `Reading the document crashed ${MAX_CRASHES} times. Save only the document’s text, or split the document.`,
      );
    await this.#revisions.update(scope, revision, { readingAttempts: readingAttempts + 1 });
    try {
      return await work();
    } catch (error) {
      await this.#revisions.update(scope, revision, { readingAttempts });
      throw error;
    }
  }
}

/**
 * Returns true if an attempt to read the document has not ended: the worker has crashed, or is still reading
 * it.
 */
export function isSuspect({ readingAttempts }: Document): boolean {
  return readingAttempts > 0;
}
