import type { Database } from '../../database/database.ts';
import type { OperatorSealing } from '../../services/encryption/operator-sealing.service.ts';
import type { Resealing } from '../../services/encryption/resealing.service.ts';
import type { ResealInput } from '../../workflows/shared/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type ResealActivities = ReturnType<typeof createResealActivities>;

/** Then the workflow shows how far it is. */
const STEP_MS = 5000;

export function createResealActivities({
  database: db,
  resealing,
  operatorSealing,
}: {
  database: Database;
  resealing: Resealing;
  operatorSealing: OperatorSealing;
}) {
  return {
    /** Goes on for some seconds; null where nothing is to be done. */
    resealSome: ({ orgId }: ResealInput) =>
      withHeartbeat((signal) => {
        const end = performance.now() + STEP_MS;
        return resealing.goOn({ orgId, db }, () => {
          signal.throwIfAborted();
          return performance.now() >= end;
        });
      }),
    restartResealing: ({ orgId }: ResealInput) => resealing.restart({ orgId, db }),
    finishResealing: ({ orgId }: ResealInput) => resealing.finish({ orgId, db }),
    beginReseals: () => operatorSealing.beginSome(db),
  };
}
