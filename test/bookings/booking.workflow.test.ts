import assert from 'node:assert/strict';
import ICAL from 'ical.js';
import { bookingWorkflowId } from '../../workflows/shared/commands.ts';
import { Refusal, startSmtpPeer, type SmtpPeer } from '../mail/smtp-peer.ts';
import type { TestOrg } from '../support/parley.ts';
import { until } from '../support/until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { attendeeMails, book, change, HOUR_MS } from './booking-scene.ts';

describe('booking', () => {
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
      PARLEY_MAIL_RETRY_SCHEDULE: '0,3600',
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

  const mailsTo = (id: string) =>
    peer.mails.filter(({ to }) => to && !Array.isArray(to) && to.text.includes(id));
  const hasMails = (id: string, mails: string[]) =>
    until(
      async () => JSON.stringify(await attendeeMails(parley, id)) === JSON.stringify(mails),
      `the mails ${mails.join(', ')}`,
    );

  async function stateOf(id: string): Promise<unknown> {
    const { typedSearchAttributes } = await parley.temporal.workflow
      .getHandle(bookingWorkflowId(id))
      .describe();
    return typedSearchAttributes.getAll().find(({ key }) => key.name === 'BookingState')?.value;
  }

  function eventIn(id: string, at: number) {
    const part = mailsTo(id)[at]!.attachments.find(({ contentType }) => contentType === 'text/calendar')!;
    const calendar = new ICAL.Component(ICAL.parse(part.content.toString()));
    return { calendar, event: new ICAL.Event(calendar.getFirstSubcomponent('vevent')!) };
  }

  it('mails a confirmation, the move and the cancellation, once each', async () => {
    const id = await book(parley, org);
    await hasMails(id, ['0/confirmed sent']);
    const startsAt = new Date(Date.now() + 96 * HOUR_MS);
    const endsAt = new Date(startsAt.getTime() + HOUR_MS);
    await change(parley, id, { startsAt, endsAt, blockedUntil: endsAt });
    await hasMails(id, ['0/confirmed sent', '1/moved sent']);
    await change(parley, id, { status: 'cancelled', cancelledBy: 'team' }, 'cancel');
    await hasMails(id, ['0/confirmed sent', '1/moved sent', '2/cancelled sent']);
    await until(async () => JSON.stringify(await stateOf(id)) === '["cancelled"]', 'its end');
    const events = [0, 1, 2].map((at) => eventIn(id, at));
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
  });
});
