import { isCancellation, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { EnrichmentActivities } from '../../activities/conversations/enrichment.activities.ts';
import { databaseActivity, patientRetry } from '../shared/activity-options.ts';
import { runInTurn } from '../shared/run-in-turn.ts';
import type { EnrichConversationInput } from '../../core/workflows/commands.ts';
import { describeModelFailure } from '../../core/workflows/failures.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

export type EnrichmentState = 'by_model' | 'by_patterns' | 'gone';

type Report = Exclude<Awaited<ReturnType<EnrichmentActivities['readConversation']>>, 'out_of_turn'>;

const { readByPatterns } = proxyActivities<EnrichmentActivities>({
  ...databaseActivity,
  summary: 'Extract the email address and phone number by patterns, and the title from the first question',
});

/**
 * Stores a conversation's topic, summary and sentiment, and the contact details that the visitor wrote. If
 * the model fails, only the summary and the sentiment are missing.
 */
export async function enrichConversation(input: EnrichConversationInput): Promise<EnrichmentState> {
  const { readConversation } = proxyActivities<EnrichmentActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).models,
    // Time limit of an activity that calls a model, longer than the longest call.
    startToCloseTimeout: '11m',
    heartbeatTimeout: '10s',
    retry: patientRetry,
    summary: 'Extract the title, summary, sentiment and fields with the bot’s model',
  });
  setCurrentDetails('Extracting from the conversation.');
  try {
    const report = await runInTurn((ticket) => readConversation({ ...input, ...ticket }));
    return showEnrichmentDetails(report);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return showEnrichmentDetails(await readByPatterns(input), describeModelFailure(error));
  }
}

/**
 * Shows operators how much the model found in a conversation, as numbers only: content must not leave the
 * database.
 */
function showEnrichmentDetails(report: Report, failure?: string): EnrichmentState {
  if (report === null) {
    setCurrentDetails('The conversation or its bot was deleted.');
    return 'gone';
  }
  const { model, inputTokens, outputTokens, fieldsFound, fieldsDeclared } = report;
  const tokens =
    inputTokens === null || outputTokens === null
      ? []
      : [`${pluralize(inputTokens, 'token')} read, ${pluralize(outputTokens, 'token')} written`];
  setCurrentDetails(
    formatDetails(model === null ? 'Read by patterns' : `Read by ${model}`, [
      model === null ? 'title' : 'title, summary, sentiment',
      `${fieldsFound} of ${pluralize(fieldsDeclared, 'contact field')}`,
      ...tokens,
      ...(failure === undefined ? [] : [`the model failed: ${failure}`]),
    ]),
  );
  return model === null ? 'by_patterns' : 'by_model';
}
