import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import { withSingleConnection } from '../../../entities/data-source.ts';
import type { EmbeddingQueueRepository } from '../../../repositories/knowledge/embedding-queue.repository.ts';
import type { VectorSearchRepository } from '../../../repositories/knowledge/vector-search.repository.ts';

/**
 * Oldest supported version of pgvector. Earlier versions cannot resume an index scan that has found too few
 * vectors of the bot.
 */
const MIN_VERSION = [0, 8] as const;

/** Ways in which the database searches vectors: by comparing bits, or with an index of pgvector. */
export type VectorStorage = 'bits' | 'index';

/** Creates vector indexes as soon as the database has the extension `vector` (pgvector). */
export class VectorIndexes {
  readonly #queue: EmbeddingQueueRepository;
  readonly #vectors: VectorSearchRepository;

  constructor({ queue, vectors }: { queue: EmbeddingQueueRepository; vectors: VectorSearchRepository }) {
    this.#queue = queue;
    this.#vectors = vectors;
  }

  async detectStorage(db: Database): Promise<VectorStorage> {
    const version = await this.#vectors.findVectorVersion(db);
    return version !== undefined && isRecent(version) ? 'index' : 'bits';
  }

  /**
   * Creates an index for each vector length in use that has no index. Returns the number of created indexes.
   */
  async ensure(db: Database, settings: Pick<Settings, 'databaseUrl'>): Promise<number> {
    if ((await this.detectStorage(db)) === 'bits') return 0;
    const missingLengths = await this.#vectors.listWithoutIndex(db, await this.#queue.listDimensions(db));
    if (missingLengths.length > 0)
      await withSingleConnection(settings, (connection) =>
        this.#vectors.ensureIndexes(connection, missingLengths),
      );
    return missingLengths.length;
  }
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1]);
}
