import type { Database } from '../../database/database.ts';
import type { StalledBookings } from '../../services/bookings/stalled-bookings.ts';
import type { IdleConversations } from '../../services/conversations/idle-conversations.ts';
import type { IsWorkflowOpen, StalledDocuments } from '../../services/knowledge/stalled-documents.ts';
import type { StalledDeliveries } from '../../services/webhooks/stalled-deliveries.ts';

export type SweepActivities = ReturnType<typeof createSweepActivities>;

export function createSweepActivities({
  database,
  stalledDocuments,
  stalledDeliveries,
  idleConversations,
  stalledBookings,
  isWorkflowOpen,
}: {
  database: Database;
  stalledDocuments: StalledDocuments;
  stalledDeliveries: StalledDeliveries;
  idleConversations: IdleConversations;
  stalledBookings: StalledBookings;
  isWorkflowOpen: IsWorkflowOpen;
}) {
  return {
    restartStalledDocuments: (batch: { after: string | null }) =>
      stalledDocuments.restart(database, isWorkflowOpen, batch),
    resumeStalledDeliveries: () => stalledDeliveries.resume(database),
    restartStalledBookings: () => stalledBookings.restart(database),
    endIdleConversations: () => idleConversations.endBatch(database),
  };
}
