import assert from 'node:assert/strict';
import type { ScheduleHandle } from '@temporalio/client';
import { newId } from '../../core/ids.ts';
import { createEndpoint } from '../webhooks/support.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

/** Builds a UUIDv7 of a time `daysAgo` days ago. */
function buildOldId(daysAgo: number): string {
  const time = Math.floor(Date.now() - daysAgo * 24 * 3_600_000)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-${newId().slice(14)}`;
}

describe('purgeExpired', () => {
  let parley: TestParleyWithWorker;
  let schedule: ScheduleHandle;
  const describePurgeSchedule = () => schedule.describe().catch(() => null);
  before(async () => {
    parley = await startParleyWithWorker({ PARLEY_MAIL_LOG_DAYS: '5' });
    schedule = parley.temporal.schedule.getHandle(
      `${parley.runtime.settings.temporalTaskQueue}/purge-expired`,
    );
    await waitUntil(async () => (await describePurgeSchedule()) !== null, 'the schedule to be there');
    // Pause the schedule: its own run would delete rows before the test counts them.
    await schedule.pause();
  });
  after(() => parley.stop());

  it('deletes expired rows, and nothing else', async () => {
    const { client } = await parley.buildOrg();
    for (const key of ['old', 'new'])
      await client.post('/api/bots', { name: key }, { 'idempotency-key': key });
    await parley.database.sql(
      "UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = 'old'",
    );
    await parley.database.sql(
      `INSERT INTO rate_windows (key, used, started_at, expires_at)
       VALUES ('ip:192.0.2.1', 3, now() - interval '2 minutes', now() - interval '1 minute')`,
    );
    const result = await parley.temporal.workflow.execute('purgeExpired', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: 'purge-expired-now',
    });
    assert.deepEqual(result, { idempotencyKeys: 1, rateWindows: 1, namesOfTurns: 0, deliveries: 0 });
    assert.deepEqual(await parley.database.sql('SELECT key FROM idempotency_keys'), [{ key: 'new' }]);
  });

  itInSoak('deletes deliveries that are older than the log’s retention', async () => {
    const org = await parley.buildOrg();
    const { id } = await createEndpoint(org, 'http://127.0.0.1:9/hook');
    const [old, kept, waiting] = [buildOldId(30.1), buildOldId(29.9), buildOldId(30.2)];
    for (const [each, status] of [
      [old, 'delivered'],
      [kept, 'delivered'],
      [waiting, 'retrying'],
    ]) {
      await parley.database.sql(
        `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, status)
         VALUES ($1, $2, $3, gen_random_uuid(), 'lead.captured', '{}', $4)`,
        [each, org.orgId, id, status],
      );
    }
    const result = await parley.temporal.workflow.execute('purgeExpired', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: 'purge-old-deliveries',
    });
    assert.equal((result as { deliveries: number }).deliveries, 1);
    assert.equal((await org.client.get(`/api/webhooks/deliveries?id=${old}`)).status, 404);
    assert.equal((await org.client.get(`/api/webhooks/deliveries?id=${kept}`)).body.total, 1);
    assert.equal((await org.client.get(`/api/webhooks/deliveries?id=${waiting}`)).body.total, 1);
  });

  itInSoak('deletes emails PARLEY_MAIL_LOG_DAYS days after they were written, in any state', async () => {
    const mails = [
      { id: buildOldId(5.1), state: 'sent' },
      { id: buildOldId(5.2), state: 'kept' },
      { id: buildOldId(4.9), state: 'sent' },
    ];
    for (const { id, state } of mails)
      await parley.database.sql(
        `INSERT INTO mails (id, template, state) VALUES ($1, 'password_changed', $2)`,
        [id, state],
      );
    await parley.temporal.workflow.execute('purgeExpired', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: 'purge-old-mails',
    });
    const left = await parley.database.sql('SELECT id FROM mails WHERE id = ANY($1)', [
      mails.map(({ id }) => id),
    ]);
    assert.deepEqual(left, [{ id: mails[2]!.id }]);
  });

  itInSoak('deletes the Idempotency-Key of a turn after a day', async () => {
    const { client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'A' });
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const visitor = parley.client(session.visitor_token);
    const path = `/api/public/sessions/${session.session_id}/messages` as const;
    const send = () => visitor.post(path, { content: 'Hello' }, { 'idempotency-key': 'greeting' });
    const first = await send();
    await parley.database.sql(
      "UPDATE messages SET created_at = now() - interval '25 hours' WHERE role = 'user'",
    );
    await parley.temporal.workflow.execute('purgeExpired', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: 'purge-expired-later',
    });
    assert.notEqual((await send()).body.id, first.body.id);
  });

  it('is scheduled every hour', async () => {
    const { spec, policies } = (await describePurgeSchedule())!;
    assert.equal(spec.intervals?.[0]?.every, 60 * 60_000);
    assert.equal(policies.overlap, 'SKIP');
  });
});
