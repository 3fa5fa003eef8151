import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import {
  buildCreateIndex,
  buildDropIndex,
  FIND_ACTIVE_SET,
  INDEX_STATE,
  LOCK_INDEXES,
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

/** Vector search in a bot's chunks. */
export class VectorSearchRepository {
  async findActiveSet({ db, orgId }: OrgScope, botId: string): Promise<ActiveSet | null> {
    const [set] = await db.run(FIND_ACTIVE_SET, [botId, orgId]);
    return set ?? null;
  }

  /** Finds the windows whose bits have the smallest distance to the question's. */
  scanBits(
    { db, orgId }: OrgScope,
    { botId, setId, limit }: VectorQuery,
    { bits, tags }: { bits: string; tags: string[] | null },
  ): Promise<ScannedWindow[]> {
    return db.run(SCAN_BITS, [setId, orgId, bits, limit, tags, botId]);
  }

  /** Finds the nearest windows with an index. Requires the extension `vector`. */
  walkIndex(
    scope: OrgScope,
    { setId, limit }: VectorQuery,
    vector: ArrayLike<number>,
  ): Promise<NearWindow[]> {
    const question = `[${Array.from(vector).join(',')}]`;
    return inTransaction(scope, async ({ db, orgId }) => {
      // Sends both statements in one round trip.
      const [, found] = await Promise.all([
        db.run(WALK_SETTINGS),
        db.run(buildIndexWalk(vector.length), [setId, orgId, question, limit]),
      ]);
      return found;
    });
  }

  /** Undefined if the extension is not installed. */
  async findVectorVersion(db: Database): Promise<string | undefined> {
    const [extension] = await db.run(VECTOR_VERSION);
    return extension?.version;
  }

  /**
   * Creates missing indexes for these dimensions, without blocking readers and writers. Replaces incomplete ones.
   * @param db a dedicated connection without a timeout, whose lock excludes other processes until it is closed
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

  /** Lists the dimensions without a valid index. */
  async listWithoutIndex(db: Database, lengths: readonly number[]): Promise<number[]> {
    const missing: number[] = [];
    for (const dimensions of lengths) {
      const [state] = await db.run(INDEX_STATE, [dimensions]);
      if (!state?.isValid) missing.push(dimensions);
    }
    return missing;
  }
}
