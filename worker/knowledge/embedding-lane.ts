import { EmbeddingError } from '../../adapters/embedding/embedder.ts';
import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import { EmbeddingRotation } from '../../services/knowledge/vectors/embedding-rotation.ts';
import type {
  EmbeddingService,
  LeasedDocuments,
} from '../../services/knowledge/vectors/embedding-service.ts';
import { Alarm } from '../polling/alarm.ts';
import { PollPace } from '../polling/poll-pace.ts';
import { backoffMs, limitWaitMs, MAX_REQUESTED_WAIT_MS } from '../../core/concurrency/backoff.ts';

/**
 * Maximum number of documents that a worker embeds at the same time. While the model works on one document,
 * another can use the database.
 */
const MAX_CONCURRENT = 2;

export interface EmbeddingLaneDeps {
  embedding: EmbeddingService;
  database: Database;
  log: Logger;
  pauses?: Pauses;
}

interface Pauses {
  /**
   * Pauses in milliseconds between polls of the queue of documents to embed: `busyMs` shortly after documents
   * were found, `idleMs` at other times.
   */
  busyMs: number;
  idleMs: number;
  /**
   * Pauses in milliseconds after failures of the embedding model: `failedMs` after the first, doubling up to
   * `maxMs`.
   */
  failedMs: number;
  maxMs: number;
}

const PAUSES: Pauses = { busyMs: 500, idleMs: 5000, failedMs: 1000, maxMs: 60_000 };
const BUSY_FOR_MS = 30_000;

/**
 * Computes the embeddings of documents after they were indexed. The queue is in the database, so no document
 * is lost while the worker or the model is down. Payers take turns, and so do the workspaces of a payer.
 * After a failure of the model, all documents wait, for a growing pause, or for as long as the model
 * requests.
 */
export class EmbeddingLane {
  readonly #deps: EmbeddingLaneDeps;
  readonly #pauses: Pauses;
  readonly #pace: PollPace;
  readonly #alarm = new Alarm();
  readonly #stopping = new AbortController();
  readonly #runs = new Set<Promise<void>>();
  readonly #rotation = new EmbeddingRotation();
  #failures = 0;
  #pausedUntil = 0;

  constructor(deps: EmbeddingLaneDeps) {
    this.#deps = deps;
    this.#pauses = deps.pauses ?? PAUSES;
    this.#pace = new PollPace({ ...this.#pauses, busyForMs: BUSY_FOR_MS });
  }

  /** Computes the embeddings of documents in the queue until `stop` is called. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      const pause = this.#alarm.pause(Math.max(this.#pace.pauseMs, this.#pausedUntil - performance.now()));
      if (!(await this.#startNext()) && !this.#isStopped) await pause;
    }
    await Promise.all(this.#runs);
  }

  /** Aborts running requests to the embedding model. Their documents stay in the queue. */
  stop(): void {
    this.#stopping.abort();
    this.#alarm.ring();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get #isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  /**
   * Leases the next documents in the queue and starts to embed them. Returns whether to look for more at
   * once.
   */
  async #startNext(): Promise<boolean> {
    const { embedding, database, log } = this.#deps;
    if (this.#runs.size >= MAX_CONCURRENT || this.#isPaused) return false;
    try {
      const leasedDocuments = await embedding.leaseNext(database, this.#rotation);
      if (!leasedDocuments) return false;
      // Release the documents if the model failed for other documents while this worker leased these.
      if (this.#isPaused) {
        await embedding.release(database, leasedDocuments);
        return false;
      }
      this.#pace.noteWork();
      this.#track(this.#embed(leasedDocuments));
      return true;
    } catch (error) {
      log.warn({ err: error }, 'cannot claim documents to embed');
      return false;
    }
  }

  async #embed(leasedDocuments: LeasedDocuments): Promise<void> {
    const { embedding, database } = this.#deps;
    try {
      await embedding.embed(database, leasedDocuments, this.#stopping.signal);
      this.#failures = 0;
    } catch (error) {
      // Set the pause before releasing the documents, because released documents can be leased again at once.
      if (!this.#isStopped) this.#backOff(error);
      await embedding.release(database, leasedDocuments);
    }
  }

  #backOff(error: unknown): void {
    const { failedMs, maxMs: maxPauseMs } = this.#pauses;
    const requestedMs = error instanceof EmbeddingError ? (error.retryAfterMs ?? 0) : 0;
    const pauseMs = Math.max(
      limitWaitMs(requestedMs, MAX_REQUESTED_WAIT_MS),
      backoffMs(this.#failures, { firstMs: failedMs, maxMs: maxPauseMs }),
    );
    this.#failures += 1;
    this.#pausedUntil = performance.now() + pauseMs;
    this.#deps.log.warn({ err: error, pauseMs }, 'embedding failed; retrying after a pause');
  }

  #track(work: Promise<void>): void {
    this.#runs.add(work);
    void work.then(() => {
      this.#runs.delete(work);
      this.#alarm.ring();
    });
  }
}
