import assert from 'node:assert/strict';
import type { ScheduleHandle } from '@temporalio/client';
import { createEndpoint } from '../webhooks/support.ts';
import { buildSession } from '../support/widget.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

describe('sweepConversations', () => {
  let parley: TestParleyWithWorker;
  let schedule: ScheduleHandle;
  const describeSchedule = () => schedule.describe().catch(() => null);
  before(async () => {
    parley = await startParleyWithWorker();
    schedule = parley.temporal.schedule.getHandle(
      `${parley.runtime.settings.temporalTaskQueue}/sweep-conversations`,
    );
    await waitUntil(async () => (await describeSchedule()) !== null, 'the schedule to be there');
    // Pause the schedule: its own run, every five minutes, would end conversations that a test counts.
    await schedule.pause();
  });
  after(() => parley.stop());

  it('ends idle conversations, emits conversation.ended, and reports how many ended', async () => {
    const org = await buildSession(parley);
    const { session, client } = org;
    await createEndpoint(org, 'http://127.0.0.1:9/hook', { events: ['conversation.ended'] });
    await parley.database.sql(
      `UPDATE conversations SET created_at = now() - interval '31 minutes',
         last_message_at = now() - interval '31 minutes'`,
    );
    const sweep = await parley.temporal.workflow.start('sweepConversations', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: `sweep-conversations-of-${org.orgId}`,
    });
    assert.equal(await sweep.result(), 1);
    const { currentDetails } = await sweep.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    assert.equal(currentDetails, ['**Idle conversations**', '', '- 1 conversation ended'].join('\n'));

    const { body } = await client.get(`/api/conversations/${session.session_id}`);
    assert.equal(body.status, 'ended');
    await waitUntil(
      async () => (await client.get('/api/webhooks/deliveries')).body.total === 1,
      'the event to be fanned out',
    );
  });

  it('is scheduled every five minutes, without overlap', async () => {
    const { spec, policies, action } = (await describeSchedule())!;
    assert.equal(spec.intervals?.[0]?.every, 5 * 60_000);
    assert.equal(policies.overlap, 'SKIP');
    assert.equal(action.staticSummary, 'End conversations that have been idle');
  });
});
