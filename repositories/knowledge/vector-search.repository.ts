import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import {
  createVectorIndex,
  dropVectorIndex,
  FIND_ACTIVE_SET,
  INDEX_STATE,
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
  async vectorVersion(db: Database): Promise<string | undefined> {
    const [extension] = await db.run(VECTOR_VERSION);
    return extension?.version;
  }

  /**
   * Makes the index for vectors of a length unless it is there, while others read and write. One that was left unfinished is made anew.
   * @param db without a time-out, where nobody else does the same at once
   */
  async ensureIndex(db: Database, dimensions: number): Promise<void> {
    const [state] = await db.run(INDEX_STATE, [dimensions]);
    if (state?.isValid) return;
    if (state) await db.run(dropVectorIndex(dimensions));
    await db.run(createVectorIndex(dimensions));
  }
}
