import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { AnalyticsDelta } from '../../entities/analytics/analytics-delta.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { beginSession, changeAtRandom } from '../analytics/random-changes.ts';
import { buildQuestionScene } from '../analytics/question-support.ts';
import { assertRecounted } from '../analytics/support.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { createTemporalClient, buildTemporalEnv, useSuccessor, WorkerProcess } from '../support/worker.ts';
import { buildActiveBot } from '../support/widget.ts';
import { addUsage } from '../usage/support.ts';

const VISITORS = 6;
const CHANGES = 60;

describe('folds after their worker was killed', () => {
  let parley: TestParley;
  let temporal: ReturnType<typeof createTemporalClient>;
  before(async () => {
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000' });
    temporal = createTemporalClient(parley.runtime.settings);
  });
  after(async () => {
    await temporal.close();
    await parley.stop();
  });
  const followedByAnother = useSuccessor(() => parley);

  /**
   * Runs a workflow whose first worker is killed before it writes to a database table. A second worker
   * completes the workflow.
   */
  async function killWorkflowAt(workflow: string, table: string): Promise<void> {
    const doomed = new WorkerProcess(parley.runtime.settings);
    const handle = await parley.database.transaction(async (db) => {
      await db.sql(`LOCK TABLE ${table} IN SHARE MODE`);
      const started = await temporal.client.workflow.start(workflow, {
        taskQueue: parley.runtime.settings.temporalTaskQueue,
        workflowId: `${workflow}-${newId()}`,
      });
      await waitUntilBlocked(parley.database, table);
      await doomed.end('SIGKILL');
      return started;
    });
    await followedByAnother();
    await handle.result();
  }

  it('count usage once', async () => {
    for (const table of ['usage_days', 'usage_totals']) {
      const org = await parley.buildOrg();
      for (const model of ['a', 'b', null])
        await addUsage(parley, org.orgId, { day: '2026-03-01', model, messages: 3, costUsd: 0.5 });
      await killWorkflowAt('sweepUsage', table);
      await waitUntilEqual(() => parley.database.repository(UsageDelta).countBy({ orgId: org.orgId }), 0);
      for (const group of ['', '&group_by=model', '&group_by=bot']) {
        const { body } = await org.client.get(`/api/usage/daily?from=2026-03-01&to=2026-03-01${group}`);
        assert.deepEqual(
          [body.reduce((sum, { messages }) => sum + messages, 0), body.at(-1)?.date],
          [9, '2026-03-01'],
        );
      }
    }
  });

  it('count analytics once', async () => {
    const { bot, client, key, orgId } = await buildActiveBot(parley, { rate_limit_per_minute: 600 });
    const visitors = [];
    for (let n = 0; n < VISITORS; n += 1) visitors.push(await beginSession(parley.client(), bot.public_key));
    await changeAtRandom({ count: CHANGES, atOnce: 4, visitors, processes: [parley.client], key });
    await killWorkflowAt('foldCounts', 'analytics_rollups');
    await waitUntilEqual(() => parley.database.repository(AnalyticsDelta).countBy({ orgId }), 0);
    await assertRecounted(parley, { client, orgId });
  });

  it('count questions once', async () => {
    for (const table of ['question_members', 'question_days']) {
      const scene = await buildQuestionScene(parley);
      for (let n = 0; n < 5; n += 1) await scene.ask('Do you repair tandems?');
      await killWorkflowAt('groupQuestions', table);
      assert.deepEqual(
        (await scene.list()).map(({ question, asked }) => [question, asked]),
        [['Do you repair tandems?', 5]],
      );
    }
  });
});
