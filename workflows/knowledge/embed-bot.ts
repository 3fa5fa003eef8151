import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { EmbeddingActivities } from '../../activities/knowledge/embedding.activities.ts';
import type { EmbedBotInput } from '../../core/workflows/commands.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

export type EmbedBotOutcome = 'switched' | 'superseded';

/**
 * Pause before the next attempt to embed the bot's documents, while other workers embed them, or the
 * embedding service has no free slot.
 */
const PAUSE = '5s';

/**
 * Computes the embeddings of all documents of a bot with a new model. Searches use the previous vectors until
 * all new vectors exist. While the model is down, the workflow waits without a limit.
 */
export async function embedBot(input: EmbedBotInput): Promise<EmbedBotOutcome> {
  const { embedSome, switchModel } = proxyActivities<EmbeddingActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).models,
    startToCloseTimeout: '1h',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  });
  upsertSearchAttributes([{ key: searchAttributes.botId, value: input.botId }]);
  const { model } = input;
  for (let last = Infinity; ;) {
    const progress = await embedSome(input);
    if (progress === null) return endSuperseded(model);
    const { documents, remaining } = progress;
    setCurrentDetails(
      formatDetails(`Vectors of ${model}`, [
        `${pluralize(documents - remaining, 'document')} of ${documents} embedded`,
        'search uses the vectors of the previous model until all documents are embedded',
      ]),
    );
    if (remaining === 0) break;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof embedBot>(input);
    if (remaining >= last) await sleep(PAUSE);
    last = remaining;
  }
  if (!(await switchModel(input))) return endSuperseded(model);
  setCurrentDetails(`Search uses the vectors of ${model}. Vectors of other models are removed.`);
  return 'switched';
}

function endSuperseded(model: string): EmbedBotOutcome {
  setCurrentDetails(`Superseded: ${model} is no longer the configured model.`);
  return 'superseded';
}
