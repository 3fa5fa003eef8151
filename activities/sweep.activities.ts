import type { Database } from '../entities/database.ts';
import type { StalledDocuments } from '../services/knowledge/stalled-documents.service.ts';

export type SweepActivities = ReturnType<typeof createSweepActivities>;

export function createSweepActivities({
  database,
  stalledDocuments,
}: {
  database: Database;
  stalledDocuments: StalledDocuments;
}) {
  return {
    restartStalledDocuments: (batch: { after: string | null }) => stalledDocuments.restart(database, batch),
  };
}
