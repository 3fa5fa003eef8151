import type { Database } from '../../database/database.ts';
import type { EnrichmentService } from '../../services/conversations/enrichment/enrichment-service.ts';
import type { PayerQueue } from '../../services/requests/payer-queue.ts';
import type { EnrichConversationInput } from '../../core/workflows/commands.ts';
import type { QueueTicket } from '../../core/workflows/queue-ticket.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type EnrichmentActivities = ReturnType<typeof createEnrichmentActivities>;

export function createEnrichmentActivities({
  database: db,
  enrichment,
  modelCalls,
}: {
  database: Database;
  modelCalls: PayerQueue;
  enrichment: EnrichmentService;
}) {
  return {
    /**
     * Adds a title, summary, sentiment and contact fields to a conversation, with the bot's language model.
     * Returns `out_of_turn` if the workspace's payer gets no slot in time.
     */
    readConversation: ({ orgId, conversationId, waitingSince }: EnrichConversationInput & QueueTicket) =>
      withHeartbeat((signal) => {
        const scope = { orgId, db };
        const enrich = () => enrichment.enrich(scope, conversationId, signal);
        return modelCalls.run(scope, enrich, signal, { waitingSince });
      }),
    readByPatterns: ({ orgId, conversationId }: EnrichConversationInput) =>
      enrichment.enrichByPatterns({ orgId, db }, conversationId),
  };
}
