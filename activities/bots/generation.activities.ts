import type { Database } from '../../database/database.ts';
import type { DraftingService } from '../../services/bots/generation/drafting-service.ts';
import type { GenerateBotInput } from '../../core/workflows/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type GenerationActivities = ReturnType<typeof createGenerationActivities>;

export function createGenerationActivities({
  database: db,
  drafting,
}: {
  database: Database;
  drafting: DraftingService;
}) {
  return {
    readSite: ({ orgId, generationId, timeoutMs }: GenerateBotInput) =>
      withHeartbeat((signal) => drafting.readSite({ orgId, db }, generationId, timeoutMs, signal)),
    draftBlueprint: ({ orgId, generationId }: GenerateBotInput) =>
      withHeartbeat((signal) => drafting.draft({ orgId, db }, generationId, signal)),
    draftByRules: ({ orgId, generationId, failure }: GenerateBotInput & { failure: string }) =>
      drafting.draftByRules({ orgId, db }, generationId, failure),
  };
}
