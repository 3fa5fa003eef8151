import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { EmbeddingService } from '../../services/knowledge/vectors/embedding-service.ts';
import type { VectorIndexes } from '../../services/knowledge/vectors/vector-indexes.ts';

export interface VectorMaintenanceDeps {
  embedding: EmbeddingService;
  vectorIndexes: VectorIndexes;
  database: Database;
  settings: Pick<Settings, 'databaseUrl'>;
  log: Logger;
  /** Pause between two checks of the vectors, in milliseconds. */
  everyMs?: number;
}

const EVERY_MS = 60_000;
/**
 * Maximum number of checks after which workflows for missing vectors are started again. The number doubles
 * until it reaches this maximum.
 */
const MAX_PAUSE = 10;

/**
 * Checks regularly that all bots get vectors (embeddings) of the configured model, and that all vectors have
 * an index.
 */
export class VectorMaintenance {
  readonly #deps: VectorMaintenanceDeps;
  readonly #stopping = new AbortController();
  readonly #everyMs: number;
  /** Number of checks before workflows for missing vectors are started again. */
  #checksLeft = 0;
  #pause = 1;

  constructor(deps: VectorMaintenanceDeps) {
    this.#deps = deps;
    this.#everyMs = deps.everyMs ?? EVERY_MS;
  }

  /**
   * Runs checks until `stop` is called. Does not wait for an index that is being created; PostgreSQL
   * completes it.
   */
  async run(): Promise<void> {
    const { signal } = this.#stopping;
    const stopped = once(signal, 'abort');
    while (!signal.aborted) {
      await Promise.race([stopped, this.#maintain().catch((error: unknown) => this.#warn(error))]);
      await sleep(this.#everyMs, undefined, { signal }).catch(() => {});
    }
  }

  stop(): void {
    this.#stopping.abort();
  }

  #warn(error: unknown): void {
    if (!this.#stopping.signal.aborted) this.#deps.log.warn({ err: error }, 'cannot maintain the vectors');
  }

  async #maintain(): Promise<void> {
    const { embedding, vectorIndexes, database, settings, log } = this.#deps;
    // Start workflows for missing vectors again, at first at short intervals: an earlier workflow may have
    // been terminated, or may just have been ending for the previous model.
    this.#checksLeft -= 1;
    if (this.#checksLeft < 0) {
      const bots = await embedding.startReembedding(database);
      this.#checksLeft = this.#pause - 1;
      this.#pause = Math.min(this.#pause * 2, MAX_PAUSE);
      if (bots > 0)
        log.info(
          { bots, model: embedding.embedder.model },
          'embedding the documents of bots with another model',
        );
    }
    const lengths = await vectorIndexes.ensure(database, settings);
    if (lengths > 0) log.info({ lengths }, 'created vector indexes');
  }
}
