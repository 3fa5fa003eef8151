import assert from 'node:assert/strict';
import ICAL from 'ical.js';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { bookingWorkflowId } from '../../core/workflows/commands.ts';
import { Refusal, startSmtpPeer, type SmtpPeer } from '../mail/smtp-peer.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { listAttendeeMails, book, change, HOUR_MS } from './booking-scene.ts';

describe('the workflow of a booking', () => {
  let parley: TestParleyWithWorker;
  let peer: SmtpPeer;
  let org: TestOrg;
  let isDeferring = false;

  before(async () => {
    peer = await startSmtpPeer({
      hideSTARTTLS: true,
      onMail: () => (isDeferring ? new Refusal(451, '4.3.0 Later') : undefined),
    });
    parley = await startParleyWithWorker({
      PARLEY_SMTP_URL: `smtp://127.0.0.1:${peer.port}`,
      PARLEY_SMTP_TLS: 'none',
      PARLEY_MAIL_FROM: 'Parley <no-reply@parley.example>',
      mailRetrySchedule: '3600',
    });
  });
  after(async () => {
    await parley.stop();
    await peer.close();
  });
  beforeEach(async () => {
    isDeferring = false;
    org = await parley.buildOrg();
  });

  const findMailsTo = (id: string) =>
    peer.mails.filter(({ to }) => to && !Array.isArray(to) && to.text.includes(id));
  const waitForMails = (id: string, mails: string[]) =>
    waitUntilEqual(() => listAttendeeMails(parley, id), mails);

  const waitForDeferral = (id: string) =>
    waitUntil(
      async () =>
        (await parley.database.repository(MailRow).findOneBy({ key: `booking/${id}/0/confirmed` }))
          ?.attempts === 1,
      'the confirmation to be deferred',
    );

  async function readWorkflowState(id: string): Promise<unknown> {
    const { typedSearchAttributes } = await parley.temporal.workflow
      .getHandle(bookingWorkflowId(id))
      .describe();
    return typedSearchAttributes.getAll().find(({ key }) => key.name === 'BookingState')?.value;
  }

  function parseMailedEvent(id: string, at: number) {
    const part = findMailsTo(id)[at]!.attachments.find(({ contentType }) => contentType === 'text/calendar')!;
    const calendar = new ICAL.Component(ICAL.parse(part.content.toString()));
    return { calendar, event: new ICAL.Event(calendar.getFirstSubcomponent('vevent')!) };
  }

  it('emails the confirmation, the move and the cancellation once each', async () => {
    const id = await book(parley, org);
    await waitForMails(id, ['0/confirmed sent']);
    const startsAt = new Date(Date.now() + 96 * HOUR_MS);
    const endsAt = new Date(startsAt.getTime() + HOUR_MS);
    await change(parley, id, { startsAt, endsAt, blockedUntil: endsAt });
    await waitForMails(id, ['0/confirmed sent', '1/moved sent']);
    await change(parley, id, { status: 'cancelled', cancelledBy: 'team' }, 'cancel');
    await waitForMails(id, ['0/confirmed sent', '1/moved sent', '2/cancelled sent']);
    await waitUntil(async () => JSON.stringify(await readWorkflowState(id)) === '["cancelled"]', 'its end');
    const events = [0, 1, 2].map((at) => parseMailedEvent(id, at));
    assert.deepEqual(
      events.map(({ calendar, event }) => [
        calendar.getFirstPropertyValue('method'),
        event.uid,
        event.sequence,
        event.component.getFirstPropertyValue('status'),
      ]),
      [
        ['REQUEST', id, 0, 'CONFIRMED'],
        ['REQUEST', id, 1, 'CONFIRMED'],
        ['CANCEL', id, 2, 'CANCELLED'],
      ],
    );
    const asksToCancel = findMailsTo(id).map(({ text }) =>
      /If this was not you, cancel the meeting/.test(text ?? ''),
    );
    assert.deepEqual(asksToCancel, [true, true, false]);
  });

  itInSoak(
    'withdraws a deferred confirmation if the meeting is canceled, and then emails no cancellation',
    async () => {
      isDeferring = true;
      const id = await book(parley, org);
      await waitForDeferral(id);
      await change(parley, id, { status: 'cancelled', cancelledBy: 'team' }, 'cancel');
      await waitForMails(id, ['0/confirmed withdrawn']);
      await waitUntil(async () => JSON.stringify(await readWorkflowState(id)) === '["cancelled"]', 'its end');
      isDeferring = false;
      assert.deepEqual(findMailsTo(id), []);
      assert.deepEqual(await listAttendeeMails(parley, id), ['0/confirmed withdrawn']);
    },
  );

  itInSoak('confirms the new time if the confirmation of the old time was never sent', async () => {
    isDeferring = true;
    const id = await book(parley, org);
    await waitForDeferral(id);
    const startsAt = new Date(Date.now() + 96 * HOUR_MS);
    const endsAt = new Date(startsAt.getTime() + HOUR_MS);
    isDeferring = false;
    await change(parley, id, { startsAt, endsAt, blockedUntil: endsAt });
    await waitForMails(id, ['0/confirmed withdrawn', '1/confirmed sent']);
  });

  it('emails no text that a visitor wrote, and gives the time in the attendee’s zone and language', async () => {
    const id = await book(parley, org, {
      source: 'widget',
      summary: 'Buy at https://evil.example',
      description: 'https://evil.example/b',
      attendeeName: 'evil.example',
      attendeeTimezone: 'Asia/Kathmandu',
      language: 'de',
      startsAt: new Date('2031-03-03T09:00:00Z'),
      endsAt: new Date('2031-03-03T09:30:00Z'),
      blockedUntil: new Date('2031-03-03T09:30:00Z'),
    });
    await waitForMails(id, ['0/confirmed sent']);
    const [mail] = findMailsTo(id);
    const { event } = parseMailedEvent(id, 0);
    const shown = [mail!.subject, mail!.text, mail!.html, event.toString()].join('\n');
    assert.doesNotMatch(shown, /evil/);
    assert.match(mail!.text!, /Wann: Montag, 3\. März 2031, 14:45.15:15 Uhr \(Asia\/Kathmandu, GMT\+5:45\)/);
    assert.equal(mail!.subject, 'Bestätigt: Ihr Termin am 3. März um 14:45');
    assert.equal(event.startDate.toString(), '2031-03-03T09:00:00Z');
  });

  itInSoak('emails text that the team wrote, folded and escaped', async () => {
    const summary = `Tour; of the harbour, \\ ${'😀'.repeat(40)}`;
    const id = await book(parley, org, { summary, description: 'One\nTwo, three', attendeeName: 'Zoë; "Q"' });
    await waitForMails(id, ['0/confirmed sent']);
    const part = findMailsTo(id)[0]!.attachments.find(({ contentType }) => contentType === 'text/calendar')!;
    const lines = part.content.toString().split('\r\n');
    assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75));
    const { event } = parseMailedEvent(id, 0);
    assert.equal(event.summary, summary);
    assert.match(event.description, /^One\nTwo, three\n\n.*\/meetings\//);
    assert.equal(event.organizer, 'mailto:no-reply@parley.example');
    assert.equal(event.attendees[0]!.getParameter('cn'), 'Zoë;  Q');
    assert.equal(event.attendees[0]!.getFirstValue(), `mailto:${id}@example.com`);
  });

  itInSoak('reminds the attendee a day before, unless the booking was made within that day', async () => {
    const startsAt = new Date(Date.now() + 24 * HOUR_MS + 3000);
    const endsAt = new Date(startsAt.getTime() + HOUR_MS);
    const invited = { invitedSequence: 0, invitedAt: new Date(Date.now() - HOUR_MS) };
    const [reminded, late] = [
      await book(parley, org, { startsAt, endsAt, blockedUntil: endsAt, ...invited }),
      await book(parley, org, { inHours: 23 }),
    ];
    await waitForMails(reminded, ['0/reminder sent']);
    await waitForMails(late, ['0/confirmed sent']);
    assert.match(findMailsTo(reminded)[0]!.subject!, /^Reminder: your meeting on /);
  });

  itInSoak('is restarted minutes after it was terminated, and emails nothing twice', async () => {
    const id = await book(parley, org);
    await waitForMails(id, ['0/confirmed sent']);
    await parley.temporal.workflow.getHandle(bookingWorkflowId(id)).terminate();
    const { stalledBookings } = parley.runtime.services.bookings;
    assert.deepEqual(await stalledBookings.restart(parley.database), []);
    await parley.database.sql(
      `UPDATE bookings SET follow_due_at = now() - interval '6 minutes' WHERE id = $1`,
      [id],
    );
    assert.deepEqual(await stalledBookings.restart(parley.database), [id]);
    const handle = parley.temporal.workflow.getHandle(bookingWorkflowId(id));
    await waitUntil(
      async () => (await handle.describe()).status.name === 'RUNNING',
      'it to be followed again',
    );
    await change(parley, id, { status: 'cancelled', cancelledBy: 'attendee' }, 'cancel');
    await waitForMails(id, ['0/confirmed sent', '1/cancelled sent']);
  });

  itInSoak('ends and drops unsent emails if the booking is deleted with its workspace', async () => {
    isDeferring = true;
    const id = await book(parley, org);
    await waitForDeferral(id);
    await parley.database.sql('DELETE FROM orgs WHERE id = $1', [org.orgId]);
    const handle = parley.temporal.workflow.getHandle(bookingWorkflowId(id));
    await handle.signal('retryNow');
    assert.equal(await handle.result(), 'deleted');
    isDeferring = false;
    assert.deepEqual(findMailsTo(id), []);
  });

  itInSoak('emails each change once to the admins who receive emails about bookings', async () => {
    const member = await parley.buildOrg({ role: 'member', orgId: org.orgId });
    const admin = await parley.buildOrg({ role: 'admin', orgId: org.orgId });
    const off = await parley.buildOrg({ role: 'admin', orgId: org.orgId });
    await parley.database.sql(
      `INSERT INTO email_preferences (user_id, turned_off) VALUES ($1, '{bookings}')`,
      [off.userId],
    );
    const id = await book(parley, org, { attendeeEmail: null, attendeeName: 'Rui Costa' });
    const listSentMails = async () => {
      const rows = await parley.database.sql<{ template: string; user_id: string; state: string }>(
        `SELECT template, user_id, state FROM mails WHERE key LIKE $1 AND state <> 'pending' ORDER BY created_at`,
        [`booking/${id}/%`],
      );
      return rows
        .filter(({ state }) => state === 'sent')
        .map(({ template, user_id }) => `${template} ${user_id}`);
    };
    const readers = [org.userId, admin.userId];
    const waitForTemplates = (templates: string[]) =>
      waitUntil(async () => {
        const expected = templates.flatMap((template) => readers.map((reader) => `${template} ${reader}`));
        return (await listSentMails()).toSorted().join() === expected.toSorted().join();
      }, templates.join());
    await waitForTemplates(['meeting_booked']);
    await change(parley, id, { hasConflict: true });
    await waitForTemplates(['meeting_booked', 'meeting_moved', 'meeting_conflict']);
    await change(parley, id, { status: 'cancelled', cancelledBy: 'attendee', hasConflict: false }, 'cancel');
    await waitForTemplates(['meeting_booked', 'meeting_moved', 'meeting_conflict', 'meeting_cancelled']);
    assert.ok(!(await listSentMails()).some((line) => line.endsWith(member.userId)));
  });
});
