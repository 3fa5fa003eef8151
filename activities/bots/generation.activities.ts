import type { Database } from '../../database/database.ts';
import type { DraftingService } from '../../services/bots/generation/drafting-service.ts';
import type { PayerQueue } from '../../services/requests/payer-queue.ts';
import type { GenerateBotInput } from '../../core/workflows/commands.ts';
import { failureTypes } from '../../core/workflows/failures.ts';
import { createNoSlotFailure } from '../with-fair-slot.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

const TOO_MANY_FETCHES = { noun: 'downloads', type: failureTypes.sourceUnavailable };
const TOO_MANY_CALLS = { noun: 'model calls', type: failureTypes.modelFailed };

export type GenerationActivities = ReturnType<typeof createGenerationActivities>;

export function createGenerationActivities({
  database: db,
  drafting,
  fetches,
  modelCalls,
}: {
  database: Database;
  fetches: PayerQueue;
  modelCalls: PayerQueue;
  drafting: DraftingService;
}) {
  return {
    readSite: ({ orgId, generationId, timeoutMs }: GenerateBotInput) =>
      withHeartbeat(async (signal) => {
        const scope = { orgId, db };
        const readInTurn = () => drafting.readSite(scope, generationId, timeoutMs, signal);
        const site = await fetches.run(scope, readInTurn, signal);
        if (site === 'out_of_turn') throw createNoSlotFailure(TOO_MANY_FETCHES);
        return site;
      }),
    draftBlueprint: ({ orgId, generationId }: GenerateBotInput) =>
      withHeartbeat(async (signal) => {
        const scope = { orgId, db };
        const draftInTurn = () => drafting.draft(scope, generationId, signal);
        const report = await modelCalls.run(scope, draftInTurn, signal);
        if (report === 'out_of_turn') throw createNoSlotFailure(TOO_MANY_CALLS);
        return report;
      }),
    draftByRules: ({ orgId, generationId, failure }: GenerateBotInput & { failure: string }) =>
      drafting.draftByRules({ orgId, db }, generationId, failure),
  };
}
