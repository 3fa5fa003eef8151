import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import {
  createVectorIndex,
  dropVectorIndex,
  FIND_ACTIVE_SET,
  INDEX_STATE,
  LOCK_INDEXES,
  SCAN_BITS,
  VECTOR_VERSION,
  WALK_SETTINGS,
  walkIndex,
  type ActiveSet,
  type NearWindow,
  type ScannedWindow,
} from './vector-search.sql.ts';

export interface VectorQuery {
  botId: string;
  setId: string;
  limit: number;
}

/** What is near a question among a bot's vectors. */
export class VectorSearchRepository {
  async findActiveSet({ db, orgId }: OrgScope, botId: string): Promise<ActiveSet | null> {
    const [set] = await db.run(FIND_ACTIVE_SET, [botId, orgId]);
    return set ?? null;
  }

  /** Those whose bits have most in common with the question's. */
  scanBits(
    { db, orgId }: OrgScope,
    { botId, setId, limit }: VectorQuery,
    { bits, tags }: { bits: string; tags: string[] | null },
  ): Promise<ScannedWindow[]> {
    return db.run(SCAN_BITS, [setId, orgId, bits, limit, tags, botId]);
  }

  /** The nearest by the index of the extension `vector`, which has to be there. */
  walkIndex(
    scope: OrgScope,
    { setId, limit }: VectorQuery,
    vector: ArrayLike<number>,
  ): Promise<NearWindow[]> {
    const question = `[${Array.from(vector).join(',')}]`;
    return inTransaction(scope, async ({ db, orgId }) => {
      // They travel together.
      const [, found] = await Promise.all([
        db.run(WALK_SETTINGS),
        db.run(walkIndex(vector.length), [setId, orgId, question, limit]),
      ]);
      return found;
    });
  }

  /** Undefined where the database has no such extension. */
  async findVectorVersion(db: Database): Promise<string | undefined> {
    const [extension] = await db.run(VECTOR_VERSION);
    return extension?.version;
  }

  /**
   * Makes the indexes for vectors of these lengths that are not there, while others read and write. What was left unfinished is made anew.
   * @param db one connection without a time-out, which keeps others from doing the same until it ends
   */
  async ensureIndexes(db: Database, lengths: readonly number[]): Promise<void> {
    const [lock] = await db.run(LOCK_INDEXES);
    if (!lock?.isLocked) return;
    for (const dimensions of lengths) {
      const [state] = await db.run(INDEX_STATE, [dimensions]);
      if (state?.isValid) continue;
      if (state) await db.run(dropVectorIndex(dimensions));
      await db.run(createVectorIndex(dimensions));
    }
  }

  /** Lengths of vectors that have no index. */
  async listWithoutIndex(db: Database, lengths: readonly number[]): Promise<number[]> {
    const missing: number[] = [];
    for (const dimensions of lengths) {
      const [state] = await db.run(INDEX_STATE, [dimensions]);
      if (!state?.isValid) missing.push(dimensions);
    }
    return missing;
  }
}
