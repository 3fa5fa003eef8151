import type { Database } from '../../database/database.ts';
import type { StalledBookings } from '../../services/bookings/stalled-bookings.ts';
import type { IdleConversations } from '../../services/conversations/idle-conversations.ts';
import type { IsWorkflowOpen, StalledDocuments } from '../../services/knowledge/stalled-documents.ts';

export type SweepActivities = ReturnType<typeof createSweepActivities>;

export function createSweepActivities({
  database,
  stalledDocuments,
  idleConversations,
  stalledBookings,
  isWorkflowOpen,
}: {
  database: Database;
  stalledDocuments: StalledDocuments;
  idleConversations: IdleConversations;
  stalledBookings: StalledBookings;
  isWorkflowOpen: IsWorkflowOpen;
}) {
  return {
    restartStalledDocuments: (batch: { after: string | null }) =>
      stalledDocuments.restart(database, isWorkflowOpen, batch),
    restartStalledBookings: () => stalledBookings.restart(database),
    endIdleConversations: () => idleConversations.endBatch(database),
  };
}
