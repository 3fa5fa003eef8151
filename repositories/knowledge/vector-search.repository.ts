import { listCanonicalForms } from '../../core/text/canonical-forms.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import {
  buildCreateIndex,
  buildDropIndex,
  FIND_ACTIVE_SET,
  INDEX_STATE,
  LOCK_INDEXES,
  LIST_SAMPLE,
  SCAN_BITS,
  VECTOR_VERSION,
  WALK_SETTINGS,
  buildIndexWalk,
  type ActiveSet,
  type NearWindow,
  type ScannedWindow,
} from './vector-search.sql.ts';

export interface VectorQuery {
  botId: string;
  setId: string;
  limit: number;
}

/** Searches a bot's chunks by the vectors of their windows, which are the parts that a model has embedded. */
export class VectorSearchRepository {
  async findActiveSet({ db, orgId }: OrgScope, botId: string): Promise<ActiveSet | null> {
    const [set] = await db.run(FIND_ACTIVE_SET, [botId, orgId]);
    return set ?? null;
  }

  /**
   * Finds the windows of chunks whose bits differ least from the question's bits. The bits are the signs of a
   * vector's numbers.
   */
  scanBits(
    { db, orgId }: OrgScope,
    { botId, setId, limit }: VectorQuery,
    { bits, tags }: { bits: string; tags: string[] | null },
  ): Promise<ScannedWindow[]> {
    const forms = tags?.flatMap(listCanonicalForms) ?? null;
    return db.run(SCAN_BITS, [setId, orgId, bits, limit, forms, botId]);
  }

  /**
   * Returns a sample of the windows of an embedding set. The sample does not depend on the order of the
   * windows, and stays the same until windows are added.
   */
  listSample(
    { db, orgId }: OrgScope,
    { setId, limit }: Omit<VectorQuery, 'botId'>,
  ): Promise<Pick<ScannedWindow, 'vector'>[]> {
    return db.run(LIST_SAMPLE, [setId, orgId, limit]);
  }

  /**
   * Finds the windows of chunks nearest to the question with an approximate index. Requires the PostgreSQL
   * extension `vector`.
   */
  walkIndex(
    scope: OrgScope,
    { setId, limit }: VectorQuery,
    vector: ArrayLike<number>,
  ): Promise<NearWindow[]> {
    const question = `[${Array.from(vector).join(',')}]`;
    return inTransaction(scope, async ({ db, orgId }) => {
      // Start the two statements together, so that they take one round trip.
      const [, found] = await Promise.all([
        db.run(WALK_SETTINGS),
        db.run(buildIndexWalk(vector.length), [setId, orgId, question, limit]),
      ]);
      return found;
    });
  }

  /**
   * Returns the version of the PostgreSQL extension `vector`; undefined if the extension is not installed.
   */
  async findVectorVersion(db: Database): Promise<string | undefined> {
    const [extension] = await db.run(VECTOR_VERSION);
    return extension?.version;
  }

  /**
   * Creates the missing indexes of embedding vectors for these numbers of dimensions, and replaces incomplete
   * indexes. Does not block readers and writers.
   * @param db dedicated connection without a timeout, which holds a lock against other processes until it is
   *   closed
   */
  async ensureIndexes(db: Database, lengths: readonly number[]): Promise<void> {
    const [lock] = await db.run(LOCK_INDEXES);
    if (!lock?.isLocked) return;
    for (const dimensions of lengths) {
      const [state] = await db.run(INDEX_STATE, [dimensions]);
      if (state?.isValid) continue;
      if (state) await db.run(buildDropIndex(dimensions));
      await db.run(buildCreateIndex(dimensions));
    }
  }

  /** Returns those of the given numbers of dimensions for which no valid vector index exists. */
  async listWithoutIndex(db: Database, lengths: readonly number[]): Promise<number[]> {
    const withoutIndex: number[] = [];
    for (const dimensions of lengths) {
      const [state] = await db.run(INDEX_STATE, [dimensions]);
      if (!state?.isValid) withoutIndex.push(dimensions);
    }
    return withoutIndex;
  }
}
