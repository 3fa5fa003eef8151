import { isCancellation, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { TestRunActivities } from '../../activities/test-sets/test-run.activities.ts';
import type { RunTestSetInput } from '../../core/workflows/commands.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';
import { databaseActivity, patientRetry } from '../shared/activity-options.ts';
import { runInTurn } from '../shared/run-in-turn.ts';

export type TestRunEnd = 'completed' | 'canceled' | 'failed';

const { failTestRun } = proxyActivities<TestRunActivities>({
  ...databaseActivity,
  summary: 'Store why the run failed',
});

/** Lets a bot answer the questions of a test set, some at a time. */
export async function runTestSet(input: RunTestSetInput): Promise<TestRunEnd> {
  const { answerTestQuestions } = proxyActivities<TestRunActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).models,
    // The time limit must exceed the time for which a test set's run has a slot, plus the longest call of a
    // model.
    startToCloseTimeout: '12m',
    heartbeatTimeout: '10s',
    retry: patientRetry,
    summary: 'Answer questions, and compare the answers with the expectations',
  });
  setCurrentDetails('Starting.');
  try {
    for (;;) {
      const progress = await runInTurn((ticket) => answerTestQuestions({ ...input, ...ticket }));
      if (progress === null) {
        setCurrentDetails('The run was canceled, or its test set was deleted.');
        return 'canceled';
      }
      const { answered, passed, total, isFinished } = progress;
      setCurrentDetails(
        formatDetails(isFinished ? 'Completed' : 'Running', [
          `${answered} of ${pluralize(total, 'question')} · ${passed} passed`,
        ]),
      );
      if (isFinished) return 'completed';
    }
  } catch (error) {
    if (isCancellation(error)) throw error;
    await failTestRun({ ...input, reason: 'The questions could not be answered. Run the test again.' });
    setCurrentDetails('Failed. See the errors of the activities.');
    return 'failed';
  }
}
