import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { QuestionActivities } from '../../activities/analytics/question.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

/** Progress of the grouping of questions, which continues in a new run of the workflow (continue-as-new). */
export interface GroupedTotals {
  messages: number;
  questions: number;
  begun: number;
  deleted: number;
}

const { groupQuestionBatch, foldDeletedQuestions } = proxyActivities<QuestionActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Group a batch of questions',
});

/**
 * Assigns visitors' new questions to clusters of similar questions, and removes deleted questions from
 * theirs, in batches. Returns the number of each.
 */
export async function groupQuestions(
  totals: GroupedTotals = { messages: 0, questions: 0, begun: 0, deleted: 0 },
  after: string | null = null,
): Promise<GroupedTotals> {
  for (;;) {
    // Start a new workflow history when Temporal suggests it: after an outage or an import, a run may need
    // thousands of batches.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof groupQuestions>(totals, after);
    const batch = await groupQuestionBatch({ after });
    after = batch.next;
    totals = {
      ...totals,
      messages: totals.messages + batch.messages,
      questions: totals.questions + batch.questions,
      begun: totals.begun + batch.begun,
    };
    showGroupingDetails(totals);
    if (after !== null) continue;
    const folded = await foldDeletedQuestions();
    totals = { ...totals, deleted: totals.deleted + folded.deleted };
    showGroupingDetails(totals);
    if (!folded.isMore) return totals;
  }
}

function showGroupingDetails({ messages, questions, begun, deleted }: GroupedTotals): void {
  setCurrentDetails(
    formatDetails('Questions', [
      `${pluralize(messages, 'answered message')} read, ${pluralize(questions, 'question')} found`,
      `${pluralize(begun, 'cluster')} created`,
      `${pluralize(deleted, 'deleted question')} subtracted from the counts`,
    ]),
  );
}
