import assert from 'node:assert/strict';
import type { ScheduleHandle } from '@temporalio/client';
import { buildSession } from '../support/widget.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { readOverview } from './support.ts';

describe('foldCounts', () => {
  let parley: SharedParleyWithWorker;
  let schedule: ScheduleHandle;
  const describeSchedule = () => schedule.describe().catch(() => null);
  before(async () => {
    parley = await startSharedParleyWithWorker();
    schedule = parley.temporal.schedule.getHandle(`${parley.runtime.settings.temporalTaskQueue}/fold-counts`);
    await waitUntil(async () => (await describeSchedule()) !== null, 'the schedule to be there');
    // The scheduled run would add the recorded changes to the figures before the test counts these changes.
    await schedule.pause();
  });

  it('folds all deltas without changing the figures, and returns the number of deltas', async () => {
    const org = await buildSession(parley);
    await org.visitor.post(`${org.path}/messages`, { content: 'Hello?' });
    const before = await readOverview(org.client);
    const deltas = await parley.database.sql('SELECT FROM analytics_changes');
    const fold = await parley.temporal.workflow.start('foldCounts', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: `fold-counts-of-${org.orgId}`,
    });
    assert.equal(await fold.result(), deltas.length);
    const { currentDetails } = await fold.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    assert.equal(currentDetails, `**Figures**\n\n- ${deltas.length} deltas folded`);
    assert.deepEqual(await parley.database.sql('SELECT FROM analytics_changes'), []);
    assert.deepEqual(await readOverview(org.client), before);
  });

  it('is scheduled every minute, one at a time', async () => {
    const { spec, policies, action } = (await describeSchedule())!;
    assert.equal(spec.intervals?.[0]?.every, 60_000);
    assert.equal(policies.overlap, 'SKIP');
    assert.equal(action.staticSummary, 'Sum the deltas of analytics');
  });
});
