import type { RunTestSetInput } from '../../core/workflows/commands.ts';
import type { QueueTicket } from '../../core/workflows/queue-ticket.ts';
import type { Database } from '../../database/database.ts';
import type { PayerQueue } from '../../services/requests/payer-queue.ts';
import type { TestRunner } from '../../services/test-sets/test-runner.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type TestRunActivities = ReturnType<typeof createTestRunActivities>;

/**
 * Time in milliseconds after which the run of a test set returns its slot, so that model calls of other
 * payers get one.
 */
const TURN_MS = 20_000;

export function createTestRunActivities({
  database: db,
  testRunner,
  modelCalls,
}: {
  database: Database;
  testRunner: TestRunner;
  modelCalls: PayerQueue;
}) {
  return {
    /**
     * Answers some questions of a test set's run. Returns `out_of_turn` if the workspace's payer gets no slot
     * in time.
     */
    answerTestQuestions: ({ orgId, runId, waitingSince }: RunTestSetInput & QueueTicket) =>
      withHeartbeat((signal) => {
        const scope = { orgId, db };
        const answer = () => testRunner.answerQuestions(scope, runId, TURN_MS, signal);
        return modelCalls.run(scope, answer, signal, { waitingSince });
      }),
    failTestRun: ({ orgId, runId, reason }: RunTestSetInput & { reason: string }) =>
      testRunner.fail({ orgId, db }, runId, reason),
  };
}
