import type { Database } from '../../database/database.ts';
import type { FlowWaits } from '../../services/flows/running/flow-waits.ts';
import type { FlowWaitInput } from '../../core/workflows/commands.ts';

export type FlowActivities = ReturnType<typeof createFlowActivities>;

export function createFlowActivities({
  database: db,
  flowWaits,
}: {
  database: Database;
  flowWaits: FlowWaits;
}) {
  return {
    expireFlowWait: (input: FlowWaitInput) => flowWaits.expire(db, input),
  };
}
