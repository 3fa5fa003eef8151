import { ApplicationFailure } from '@temporalio/common';
import { EmbeddingError } from '../../adapters/embedding/embedder.ts';
import { limitWaitMs, MAX_REQUESTED_WAIT_MS } from '../../core/concurrency/backoff.ts';
import type { Database } from '../../database/database.ts';
import { PayerQueue } from '../../services/requests/payer-queue.ts';
import type {
  EmbeddedDocuments,
  EmbeddingService,
} from '../../services/knowledge/vectors/embedding-service.ts';
import type { EmbedBotInput } from '../../core/workflows/commands.ts';
import { failureTypes } from '../../core/workflows/failures.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type EmbeddingActivities = ReturnType<typeof createEmbeddingActivities>;

/**
 * Maximum number of batches of passages that one activity embeds. The workflow updates its progress after
 * each activity.
 */
const MAX_STEP_BATCHES = 20;
/**
 * Number of bots whose documents a worker embeds at once. While one bot waits for the database, the model
 * works for another bot.
 */
const MAX_CONCURRENT = 2;
const MAX_WAIT_MS = 60_000;
const MAX_WAITING = 100;
/** Interval in milliseconds at which an activity tries a model again that is down and sent no Retry-After. */
const PAUSE_MS = 15_000;

export function createEmbeddingActivities({
  database: db,
  embedding,
  modelCalls,
}: {
  database: Database;
  modelCalls: PayerQueue;
  /** Service that embeds documents; undefined if the settings configure no embedding model. */
  embedding: EmbeddingService | undefined;
}) {
  const queue = new PayerQueue({
    slots: MAX_CONCURRENT,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });
  /** Returns the embedding service if this worker is configured with `model`; undefined if not. */
  const findService = (model: string) => (embedding?.embedder.model === model ? embedding : undefined);
  return {
    /**
     * Computes the embeddings of some of the bot's documents. Returns the progress, or null if the bot is
     * deleted or this worker is configured with another model.
     */
    embedSome: ({ orgId, botId, model }: EmbedBotInput): Promise<EmbeddedDocuments | null> =>
      withHeartbeat(async (signal) => {
        const service = findService(model);
        if (!service) return null;
        const scope = { orgId, db };
        const embedInTurn = () =>
          queue.run(scope, () => embedBatches(service, { scope, botId }, signal), signal);
        await modelCalls.run(scope, embedInTurn, signal);
        return service.countWithOtherModels(scope, botId);
      }),
    /** Makes the bot search by the vectors of `model`. Returns whether the switch took place. */
    switchModel: ({ orgId, botId, model }: EmbedBotInput): Promise<boolean> =>
      withHeartbeat(async (signal) => {
        const service = findService(model);
        return (await service?.switchToCurrentModel({ orgId, db }, botId, signal)) ?? false;
      }),
  };
}

async function embedBatches(
  service: EmbeddingService,
  { scope, botId }: { scope: { orgId: string; db: Database }; botId: string },
  signal: AbortSignal,
): Promise<void> {
  for (let batches = 0; batches < MAX_STEP_BATCHES; batches += 1) {
    signal.throwIfAborted();
    const leasedDocuments = await service.leaseWithOtherModels(scope, botId);
    if (!leasedDocuments) return;
    try {
      await service.embed(scope.db, leasedDocuments, signal);
    } catch (error) {
      await service.release(scope.db, leasedDocuments);
      if (!(error instanceof EmbeddingError)) throw error;
      throw ApplicationFailure.create({
        message: error.message,
        type: failureTypes.modelFailed,
        nextRetryDelay: Math.max(limitWaitMs(error.retryAfterMs ?? 0, MAX_REQUESTED_WAIT_MS), PAUSE_MS),
      });
    }
  }
}
