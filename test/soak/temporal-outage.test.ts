import assert from 'node:assert/strict';
import { join } from 'node:path';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { startOnce } from '../../scripts/launcher/supervisor.ts';
import { resolveTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { TEST_FLAGS, TemporalService } from '../../scripts/launcher/temporal.ts';
import type { GuardedProcess } from '../../scripts/launcher/guarded-process.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { AlertDigest } from '../../entities/alerts/alert-digest.entity.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { OutboxService } from '../../services/outbox/outbox-service.ts';
import { connectChat, savePolicy } from '../alerts/support.ts';
import { at } from '../bookings/calendars/calendar-scene.ts';
import { buildDavOwner } from '../bookings/calendars/connect-caldav.ts';
import { HeldMails } from '../bookings/calendars/held-mails.ts';
import type { TestOrg } from '../support/parley.ts';
import { Radicale } from '../support/radicale.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../support/telegram.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

const HOUR_MS = 3_600_000;
const outbox = new OutboxService();

describe('while Temporal is unavailable for an hour,', function () {
  const telegram = new FakeTelegram();
  const folder = makeTemporaryFolder();
  let ports: number[];
  let temporal: GuardedProcess | undefined;
  let radicale: Radicale | undefined;
  let mails: HeldMails;
  let parley: TestParleyWithWorker;
  let owner: Awaited<ReturnType<typeof buildDavOwner>>;
  let calendar: string;

  before(async function () {
    radicale = await Radicale.start();
    // Skip the test: its CalDAV server needs Python.
    if (!radicale) return this.skip();
    mails = await HeldMails.start();
    ports = await findFreePorts(2);
    await startTemporal();
    parley = await startParleyWithWorker({
      ...mails.env,
      TEMPORAL_ADDRESS: `127.0.0.1:${ports[0]}`,
      telegramApiUrl: await telegram.start(),
      PARLEY_TELEGRAM_BOT_TOKEN: telegram.token,
      PARLEY_TELEGRAM_BOT_NAME: TELEGRAM_BOT,
    });
    calendar = await radicale.addCalendar('away');
    owner = await buildDavOwner(parley, radicale.url);
    const [chosen] = (await owner.client.get('/api/calendar/calendars')).body.filter(({ id }) =>
      id.endsWith(new URL(calendar).pathname),
    );
    await owner.client.patch('/api/calendar/settings', { booking_calendar_id: chosen!.id });
  });
  after(async () => {
    if (!radicale) return;
    await parley.stop();
    await temporal?.stop();
    await Promise.all([telegram.stop(), mails.close(), radicale.stop()]);
  });

  async function startTemporal(): Promise<void> {
    const [port = 0, httpPort = 0] = ports;
    const binary = await resolveTemporalBinary({ env: process.env, report: () => {} });
    // Store Temporal's state in a database file, so that it survives the outage.
    const databaseFile = join(folder, 'temporal.db');
    temporal = await startOnce(
      new TemporalService({ binary, folder, databaseFile, port, httpPort, extraArgs: TEST_FLAGS }),
    );
  }

  const sweeps = () =>
    parley.temporal.schedule.getHandle(`${parley.runtime.settings.temporalTaskQueue}/sweep-alerts`);
  const raise = ({ orgId }: TestOrg, name: Parameters<OutboxService['event']>[1], data: object) =>
    outbox.event({ orgId, db: parley.database }, name, data as never, null);
  const findBookedRow = (id: string) => parley.database.repository(Booking).findOneByOrFail({ id });
  const book = async (hour: number, name: string) => {
    const { status, body } = await owner.client.post('/api/bookings', {
      start: at(3, hour).toISOString(),
      summary: `Viewing ${name}`,
      attendee_name: name,
      attendee_email: `${name}@example.com`,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const cancel = async (id: string) =>
    assert.equal((await owner.client.post(`/api/bookings/${id}/cancel`, {})).status, 200);
  const uids = async () =>
    [...((await radicale!.get(calendar)) ?? '').matchAll(/^UID:(.+)$/gm)].map(([, uid]) => uid!.trim());

  it('alerts wait and arrive as one message with critical alerts first, a digest is sent once, and calendar and emails follow bookings', async () => {
    const destination = await connectChat(parley, owner);
    const all = await savePolicy(owner, { channel: 'telegram', destination, intensity: 'all' });
    const daily = await connectChat(parley, owner);
    const summed = await savePolicy(owner, {
      channel: 'telegram',
      destination: daily,
      intensity: 'digest',
      timezone: 'UTC',
    });
    const before = await book(1, 'before');
    await waitUntil(async () => (await findBookedRow(before)).calendarStatus === 'written', 'its event');
    await waitUntil(() => mails.findMessageIds('before@example.com', /^Confirmed/).length === 1, 'its email');
    await waitUntil(() => telegram.getTextsTo(destination).length === 1, 'its alert');
    await waitUntil(
      async () =>
        (await sweeps()
          .describe()
          .catch(() => null)) !== null,
      'the schedules',
    );
    await temporal!.stop();

    const kept = await book(2, 'kept');
    const short = await book(3, 'short');
    await cancel(short);
    await cancel(before);
    for (let index = 0; index < 12; index += 1) await book(4 + index, `more${index}`);
    for (let index = 0; index < 3; index += 1) await raise(owner, 'usage.limit_reached', { bot_id: null });
    await waitUntil(
      async () =>
        (await parley.database.repository(Alert).countBy({ policyId: all.id, state: 'pending' })) === 19,
      'the alerts',
    );
    await waitUntil(
      async () =>
        (await parley.database.repository(OutboxRow).findBy({ kind: 'command' })).every(
          ({ lastError }) => lastError !== null,
        ),
      'the commands to fail',
    );
    await parley.database.sql(
      "UPDATE alerts SET created_at = created_at - interval '1 hour', occurred_at = occurred_at - interval '1 hour' WHERE state = 'pending'",
    );
    await parley.database
      .repository(AlertPolicy)
      .update(summed.id, { nextDigestAt: new Date(Date.now() - HOUR_MS) });
    await parley.database.sql("UPDATE alert_policies SET alerted_at = alerted_at - interval '1 hour'");
    assert.equal(telegram.getTextsTo(destination).length, 1);
    assert.deepEqual(mails.findMessageIds('kept@example.com', /./), []);
    assert.equal((await findBookedRow(kept)).calendarStatus, 'pending');

    await startTemporal();
    await waitUntil(async () => (await findBookedRow(kept)).calendarStatus === 'written', 'the event');
    await waitUntil(
      () => mails.findMessageIds('kept@example.com', /^Confirmed/).length === 1,
      'the confirmation',
    );
    await waitUntil(
      () => mails.findMessageIds('before@example.com', /^Canceled/).length === 1,
      'the cancellation',
    );
    await waitUntil(async () => (await uids()).length === 13, 'the calendar');
    assert.ok(!(await uids()).includes(before));
    assert.ok(!(await uids()).includes(short));
    assert.deepEqual(mails.findMessageIds('short@example.com', /./), []);
    for (const name of ['kept', ...Array.from({ length: 12 }, (_, index) => `more${index}`)]) {
      await waitUntil(
        () => mails.findMessageIds(`${name}@example.com`, /^Confirmed/).length > 0,
        `the email to ${name}`,
      );
      assert.equal(mails.findMessageIds(`${name}@example.com`, /./).length, 1, name);
    }

    await waitUntil(() => telegram.getTextsTo(destination).length === 2, 'the alerts');
    const lines = telegram.getTextsTo(destination)[1]!.split('\n');
    assert.equal(lines.length, 11, lines.join('\n'));
    assert.match(lines[0]!, /×3/);
    // The alert reports a booking that was created and canceled during the outage only as canceled.
    assert.equal(lines.filter((line) => line.includes('short')).length <= 1, true);
    assert.match(lines[10]!, /^and 6 more alerts/);
    await sweeps().trigger();
    await waitUntil(() => telegram.getTextsTo(daily).length === 1, 'the digest');
    const digests = await parley.database.repository(AlertDigest).findBy({ policyId: summed.id });
    assert.deepEqual(
      digests.map(({ state }) => state),
      ['sent'],
    );
    await waitUntil(
      async () => (await parley.database.repository(OutboxRow).countBy({ kind: 'command' })) === 0,
      'the commands',
    );
    assert.equal(telegram.getTextsTo(destination).length, 2);
    assert.equal(telegram.getTextsTo(daily).length, 1);
  });
});
