import type { Database } from '../entities/database.ts';
import type { StalledDocuments } from '../services/knowledge/stalled-documents.service.ts';
import type { StalledDeliveries } from '../services/webhooks/stalled-deliveries.service.ts';

export type SweepActivities = ReturnType<typeof createSweepActivities>;

export function createSweepActivities({
  database,
  stalledDocuments,
  stalledDeliveries,
}: {
  database: Database;
  stalledDocuments: StalledDocuments;
  stalledDeliveries: StalledDeliveries;
}) {
  return {
    restartStalledDocuments: (batch: { after: string | null }) => stalledDocuments.restart(database, batch),
    resumeStalledDeliveries: () => stalledDeliveries.resume(database),
  };
}
