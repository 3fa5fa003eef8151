import type { Database } from '../../database/database.ts';
import type { ErasureService } from '../../services/contacts/erasure-service.ts';
import type { EraseContactInput } from '../../core/workflows/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type ErasureActivities = ReturnType<typeof createErasureActivities>;

export function createErasureActivities({
  database: db,
  erasure,
}: {
  database: Database;
  erasure: ErasureService;
}) {
  return {
    removeErasedEvents: ({ orgId, contactId }: EraseContactInput) =>
      withHeartbeat(() => erasure.removeEvents({ orgId, db }, contactId)),
    removeErasedDeliveries: ({ orgId, contactId }: EraseContactInput) =>
      withHeartbeat((signal) => erasure.removeDeliveries({ orgId, db }, contactId, signal)),
    removeErasedAnswers: ({ orgId, contactId }: EraseContactInput) =>
      withHeartbeat((signal) => erasure.removeResponses({ orgId, db }, contactId, signal)),
    removeErasedContact: ({ orgId, contactId }: EraseContactInput) =>
      withHeartbeat(() => erasure.removeContact({ orgId, db }, contactId)),
  };
}
