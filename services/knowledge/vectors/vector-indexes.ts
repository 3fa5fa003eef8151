import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import { withSingleConnection } from '../../../entities/data-source.ts';
import type { EmbeddingQueueRepository } from '../../../repositories/knowledge/embedding-queue.repository.ts';
import type { VectorSearchRepository } from '../../../repositories/knowledge/vector-search.repository.ts';

/** Before, a walk through the index of all bots' vectors ends before it has met enough of one bot's. */
const OLDEST = [0, 8] as const;

/** How vectors are searched in this database. */
export type VectorStorage = 'bits' | 'index';

/** Keeps indexes of vectors where the database has the extension `vector`, whenever it was installed. */
export class VectorIndexes {
  readonly #queue: EmbeddingQueueRepository;
  readonly #vectors: VectorSearchRepository;

  constructor({ queue, vectors }: { queue: EmbeddingQueueRepository; vectors: VectorSearchRepository }) {
    this.#queue = queue;
    this.#vectors = vectors;
  }

  async storage(db: Database): Promise<VectorStorage> {
    const version = await this.#vectors.findVectorVersion(db);
    return version !== undefined && isRecent(version) ? 'index' : 'bits';
  }

  /** Makes those that are missing; returns for how many lengths of vectors. */
  async ensure(db: Database, settings: Pick<Settings, 'databaseUrl'>): Promise<number> {
    if ((await this.storage(db)) === 'bits') return 0;
    const missing = await this.#vectors.listWithoutIndex(db, await this.#queue.listDimensions(db));
    if (missing.length > 0)
      await withSingleConnection(settings, (alone) => this.#vectors.ensureIndexes(alone, missing));
    return missing.length;
  }
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
