import type { Database } from '../../database/database.ts';
import type { EnrichmentService } from '../../services/conversations/enrichment/enrichment-service.ts';
import type { EnrichConversationInput } from '../../core/workflows/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type EnrichmentActivities = ReturnType<typeof createEnrichmentActivities>;

export function createEnrichmentActivities({
  database: db,
  enrichment,
}: {
  database: Database;
  enrichment: EnrichmentService;
}) {
  return {
    readConversation: ({ orgId, conversationId }: EnrichConversationInput) =>
      withHeartbeat((signal) => enrichment.enrich({ orgId, db }, conversationId, signal)),
    readByPatterns: ({ orgId, conversationId }: EnrichConversationInput) =>
      enrichment.enrichByPatterns({ orgId, db }, conversationId),
  };
}
