import assert from 'node:assert/strict';
import type { ScheduleHandle } from '@temporalio/client';
import { newId } from '../../core/ids.ts';
import { buildBot } from '../support/build-bot.ts';
import { readHistoryText } from '../support/history-text.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { ask } from './question-support.ts';

describe('groupQuestions', () => {
  let parley: TestParleyWithWorker;
  let schedule: ScheduleHandle;
  const describeGroupingSchedule = () => schedule.describe().catch(() => null);
  before(async () => {
    parley = await startParleyWithWorker();
    schedule = parley.temporal.schedule.getHandle(
      `${parley.runtime.settings.temporalTaskQueue}/group-questions`,
    );
    await waitUntil(async () => (await describeGroupingSchedule()) !== null, 'the schedule to be there');
    // The scheduled run of the workflow would group questions before the test counts them.
    await schedule.pause();
  });
  after(() => parley.stop());

  async function run() {
    const workflow = await parley.temporal.workflow.start('groupQuestions', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: `group-questions-of-${newId()}`,
    });
    const result = await workflow.result();
    const { currentDetails } = await workflow.query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    return { result, details: currentDetails.split('\n').slice(2), history: await readHistoryText(workflow) };
  }

  it('returns the number of answered questions that it has read, and leaves no text in its history', async () => {
    const { orgId, bot } = await buildBot(parley);
    const ofBot = { orgId, botId: bot.id };
    await ask(parley, ofBot, 'Do you repair tandems?');
    await ask(parley, ofBot, 'Do you repair a tandem?');
    const { conversationId } = await ask(parley, ofBot, 'Which helmets fit children?');
    await ask(parley, ofBot, 'Thanks!');
    const first = await run();
    assert.deepEqual(first.result, { messages: 4, questions: 3, begun: 2, deleted: 0 });
    assert.deepEqual(first.details, [
      '- 4 answered messages read, 3 questions found',
      '- 2 clusters created',
      '- 0 deleted questions subtracted from the counts',
    ]);
    assert.doesNotMatch(first.history, /tandem|helmet/i);
    await parley.database.sql('DELETE FROM conversations WHERE id = $1', [conversationId]);
    assert.deepEqual((await run()).result, { messages: 0, questions: 0, begun: 0, deleted: 1 });
  });

  it('is scheduled every five minutes, one at a time', async () => {
    const { spec, policies, action } = (await describeGroupingSchedule())!;
    assert.equal(spec.intervals?.[0]?.every, 5 * 60_000);
    assert.equal(policies.overlap, 'SKIP');
    assert.equal(action.staticSummary, 'Group visitors’ questions');
  });
});
