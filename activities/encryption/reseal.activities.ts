import type { Database } from '../../database/database.ts';
import type { OperatorSealing } from '../../services/encryption/operator-sealing.ts';
import type { Resealing } from '../../services/encryption/resealing.ts';
import type { TableRewriting } from '../../services/encryption/table-rewriting.ts';
import type { ResealInput } from '../../core/workflows/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type ResealActivities = ReturnType<typeof createResealActivities>;

/**
 * Duration of one activity that re-encrypts content, in milliseconds. The workflow updates its progress after
 * each activity.
 */
const STEP_MS = 5000;

export function createResealActivities({
  database: db,
  resealing,
  tableRewriting,
  operatorSealing,
}: {
  database: Database;
  resealing: Resealing;
  tableRewriting: TableRewriting;
  operatorSealing: OperatorSealing;
}) {
  return {
    /**
     * Converts some of a workspace's content to its current encryption mode and key, for a few seconds.
     * Returns null when no content is left to convert.
     */
    resealSome: ({ orgId }: ResealInput) =>
      withHeartbeat((signal) => {
        const end = performance.now() + STEP_MS;
        return resealing.runSteps({ orgId, db }, () => {
          signal.throwIfAborted();
          return performance.now() >= end;
        });
      }),
    restartResealing: ({ orgId }: ResealInput) =>
      withHeartbeat((signal) => resealing.restart({ orgId, db }, signal)),
    finishResealing: ({ orgId }: ResealInput) => resealing.finish({ orgId, db }),
    /**
     * Rewrites database tables, so that old row versions disappear from their files. Returns null when no
     * table needs a rewrite.
     */
    rewriteTables: ({ orgId, includesLarge }: ResealInput & { includesLarge: boolean }) =>
      withHeartbeat((signal) => tableRewriting.rewriteTables({ orgId, db }, includesLarge, signal)),
    beginReseals: () => operatorSealing.beginReseals(db),
  };
}
