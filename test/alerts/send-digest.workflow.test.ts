import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { AlertDigest } from '../../entities/alerts/alert-digest.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { AnalyticsDelta } from '../../entities/analytics/analytics-delta.entity.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { readHistoryText } from '../support/history-text.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { connectChat, IMPATIENT, readCapturedTexts, savePolicy } from './support.ts';

const MONDAY = '2026-11-16';

describe('sendDigest', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let destination: string;
  let id: string;
  const clock = { time: new Date(), now: () => clock.time };

  before(async () => {
    parley = await startParleyWithWorker(IMPATIENT, { clock });
    const schedule = parley.temporal.schedule.getHandle(
      `${parley.runtime.settings.temporalTaskQueue}/sweep-alerts`,
    );
    await waitUntil(async () => (await schedule.describe().catch(() => null)) !== null, 'the schedule');
    await schedule.pause();
  });
  after(() => parley.stop());
  beforeEach(async () => {
    clock.time = new Date(`${MONDAY}T06:00:00Z`);
    org = await parley.buildOrg();
    destination = await connectChat(parley, org);
    const daily = { channel: 'telegram', destination, digest: 'daily', timezone: 'UTC' } as const;
    id = (await savePolicy(org, daily)).id;
    const hour = new Date(`${MONDAY}T05:00:00Z`);
    const week = { orgId: org.orgId, botId: null, name: 'lead.captured', count: 3 };
    await parley.database.repository(EventCount).insert([
      { ...week, id: newId(), hour },
      { ...week, id: newId(), hour: new Date('2026-11-12T05:00:00Z') },
    ]);
    const startsAt = new Date('2026-11-12T05:00:00Z');
    await parley.database
      .repository(AnalyticsDelta)
      .insert({ orgId: org.orgId, id: newId(), botId: newId(), startsAt, leads: 3 });
  });

  const sweep = () =>
    parley.temporal.workflow.execute('sweepAlerts', {
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      workflowId: `sweep-${newId()}`,
    });
  const handle = () => parley.temporal.workflow.getHandle(`digest/${id}/${MONDAY}`);
  const hasStarted = () =>
    waitUntil(
      async () =>
        (await handle()
          .describe()
          .catch(() => null)) !== null,
      'a start',
    );
  const readDigestDetails = async () =>
    String(
      ((await handle().query('__temporal_workflow_metadata')) as { currentDetails: string }).currentDetails,
    );

  /** Sets the time zone of an alert policy. An invalid zone makes composing its digest fail. */
  const setZone = (timezone: string) => parley.database.repository(AlertPolicy).update(id, { timezone });
  const setInvalidZone = async () => {
    clock.time = new Date(`${MONDAY}T09:00:30Z`);
    await parley.runtime.services.alerts.digestSweep.startDue(parley.database);
    await setZone('Nowhere/Else');
  };

  it('is started by sweepAlerts when it is due, hands its message to sendAlert, and shows what it counts', async () => {
    clock.time = new Date(`${MONDAY}T09:00:30Z`);
    await Promise.all([sweep(), sweep()]);
    await hasStarted();
    assert.equal(await handle().result(), 'sent');
    await waitUntil(async () => (await readCapturedTexts(parley, destination)).length > 0, 'the message');
    const [text, ...others] = await readCapturedTexts(parley, destination);
    assert.match(text!, /\nLeads: 3 \(before: 0\)\n/);
    assert.deepEqual(others, []);
    const { searchAttributes } = await handle().describe();
    assert.deepEqual([searchAttributes['AlertState'], searchAttributes['PolicyId']], [['sent'], [id]]);
    const details = await readDigestDetails();
    assert.match(details, /Covers 2026-11-15T09:00:00.000Z to 2026-11-16T09:00:30.000Z/);
    assert.match(details, /lead\.captured: 3/);
    assert.ok(!(await readHistoryText(handle())).includes(destination));
  });

  itInSoak('shows the reason if it sends nothing', async () => {
    await parley.database.sql('UPDATE alert_destinations SET verified_at = NULL WHERE destination = $1', [
      destination,
    ]);
    clock.time = new Date(`${MONDAY}T09:00:30Z`);
    await sweep();
    await hasStarted();
    assert.equal(await handle().result(), 'unsent');
    assert.match(await readDigestDetails(), /Nothing was sent\.\n- The destination is not verified\./);
  });

  itInSoak('waits while its text cannot be composed, and continues at once after retryNow', async () => {
    await setInvalidZone();
    await hasStarted();
    await waitUntil(async () => /Signals: retryNow, skip/.test(await readDigestDetails()), 'it to wait');
    await setZone('UTC');
    await handle().signal('retryNow');
    assert.equal(await handle().result(), 'sent');
  });

  itInSoak('is canceled by the signal skip, and the next digest covers its time', async () => {
    await setInvalidZone();
    await hasStarted();
    await waitUntil(async () => /Signals: retryNow, skip/.test(await readDigestDetails()), 'it to wait');
    await handle().signal('skip');
    assert.equal(await handle().result(), 'skipped');
    await setZone('UTC');
    clock.time = new Date('2026-11-17T09:00:30Z');
    await sweep();
    const next = parley.temporal.workflow.getHandle(`digest/${id}/2026-11-17`);
    await waitUntil(async () => (await next.describe().catch(() => null)) !== null, 'the next one');
    assert.equal(await next.result(), 'sent');
    const digest = await parley.database
      .repository(AlertDigest)
      .findOneByOrFail({ policyId: id, state: 'sent' });
    assert.equal(digest.counts['lead.captured'], 3);
  });

  itInSoak('is followed by digestMail on Mondays, once for each reader', async () => {
    clock.time = new Date(`${MONDAY}T09:00:30Z`);
    await sweep();
    await sweep();
    const mail = parley.temporal.workflow.getHandle(`digest-mail/${org.userId}/${MONDAY}`);
    await waitUntil(async () => (await mail.describe().catch(() => null)) !== null, 'the email');
    assert.equal(await mail.result(), 'queued');
    const of = { userId: org.userId, template: 'week_brought' };
    assert.equal(await parley.database.repository(MailRow).countBy(of), 1);
  });
});
