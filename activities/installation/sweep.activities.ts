import type { Database } from '../../database/database.ts';
import type { StalledBookings } from '../../services/bookings/stalled-bookings.service.ts';
import type { IdleConversations } from '../../services/conversations/idle-conversations.service.ts';
import type { IsWorkflowOpen, StalledDocuments } from '../../services/knowledge/stalled-documents.service.ts';
import type { StalledDeliveries } from '../../services/webhooks/stalled-deliveries.service.ts';

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
