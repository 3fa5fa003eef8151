import assert from 'node:assert/strict';
import { Like } from 'typeorm';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import type { BookingRead } from '../../api/bookings/bookings.schemas.ts';
import { decryptMail } from '../../services/mail/mail-content.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { book } from './booking-scene.ts';
import { buildBookableBot, readFieldErrors, SetClock } from './support.ts';
import { findOpened } from '../support/find-opened.ts';

const START = '2026-11-24T10:00:00.000Z';
const RUI = { summary: 'Viewing', attendee_email: 'rui@example.com', start: START };

describe('in a flood of bookings,', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley(
      {
        PARLEY_TRUSTED_PROXIES: '1',
        bookingsPerHour: 0,
        bookingsPerDay: 4,
        bookingsPerAttendeeDay: 3,
        bookingMailsPerDay: 2,
      },
      { clock: new SetClock('2026-11-23T08:00:00.000Z') },
    );
  });
  after(() => parley.stop());

  let callers = 0;
  const nextAddressHeaders = () => ({ 'x-forwarded-for': `198.51.100.${(callers += 1)}` });
  type Visitor = Awaited<ReturnType<Awaited<ReturnType<typeof buildBookableBot>>['visit']>>;

  /** Books a meeting and cancels the meeting on its page, as an attendee may do. */
  async function bookAndCancel({ book: ask }: Visitor, request: object, headers: Record<string, string>) {
    const response = await ask(request, headers);
    if (response.status !== 201) return response;
    const { manage_url: page } = response.body as BookingRead;
    const url = page!.replace(parley.runtime.settings.baseUrl, parley.baseUrl);
    const cancelled = await fetch(url, { method: 'POST', redirect: 'manual' });
    assert.ok(cancelled.status < 400, String(cancelled.status));
    return response;
  }

  itInSoak(
    'createWidgetBooking counts canceled bookings against an email address’s daily limit',
    async () => {
      const { visit, client } = await buildBookableBot(parley);
      const visitor = await visit();
      const outcomes: string[] = [];
      for (const email of ['rui@example.com', 'RUI@example.com', 'rui@example.com'])
        outcomes.push(
          formatOutcome(
            await bookAndCancel(visitor, { ...RUI, attendee_email: email }, nextAddressHeaders()),
          ),
        );
      assert.deepEqual(outcomes, ['201', '201', '201']);
      const refused = await visitor.book(RUI, nextAddressHeaders());
      assert.equal(formatOutcome(refused), '429 rate_limited');
      assert.deepEqual(readFieldErrors(refused), {
        attendee_email:
          'This address has reached its limit of 3 meetings booked per day, including canceled ones',
      });
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(seconds > 86_000 && seconds <= 86_400, String(seconds));
      // The slot is free again: another attendee may book it, and the team may book other slots for the same
      // attendee.
      const other = await visitor.book({ ...RUI, attendee_email: 'ines@example.com' }, nextAddressHeaders());
      assert.equal(formatOutcome(other), '201');
      assert.equal(
        formatOutcome(await client.post('/api/bookings', { ...RUI, start: '2026-11-24T11:00:00.000Z' })),
        '201',
      );
    },
  );

  it('createWidgetBooking refuses another network of an IPv6 site that has made 16 times the daily bookings', async () => {
    const { visit } = await buildBookableBot(parley);
    const visitor = await visit();
    await parley.database.sql(
      `INSERT INTO rate_windows (key, used, started_at, expires_at)
       VALUES ('bookings-of-day:2001:db8:1::/48', 63, now(), now() + interval '1 day')`,
    );
    const outcomes: string[] = [];
    for (const [index, ip] of ['2001:db8:1:8::1', '2001:db8:1:9::1', '2001:db8:2::1'].entries()) {
      const request = { ...RUI, attendee_email: `site${index}@example.com` };
      outcomes.push(formatOutcome(await bookAndCancel(visitor, request, { 'x-forwarded-for': ip })));
    }
    assert.deepEqual(outcomes, ['201', '429 rate_limited', '201']);
  });

  itInSoak(
    'createWidgetBooking counts canceled bookings against a network address’s daily limit',
    async () => {
      const { visit } = await buildBookableBot(parley);
      const [visitor, from] = [await visit(), nextAddressHeaders()];
      const outcomes: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        const request = { ...RUI, attendee_email: `v${count}@example.com` };
        outcomes.push(formatOutcome(await bookAndCancel(visitor, request, from)));
      }
      assert.deepEqual(outcomes, ['201', '201', '201', '201', '429 rate_limited']);
      assert.equal(formatOutcome(await visitor.book(RUI, nextAddressHeaders())), '201');
    },
  );

  itInSoak(
    'a member gets a limited number of emails a day about meetings, the last of which announces the limit, and every email about a conflict',
    async () => {
      const org = await parley.buildOrg();
      const { database: db, runtime } = parley;
      const queueMails = async (hasConflict = false) => {
        const id = await book(parley, org, { hasConflict });
        await runtime.services.bookings.bookingLifecycle.queueDueMails(db, {
          orgId: org.orgId,
          bookingId: id,
        });
        const rows = await db.repository(MailRow).findBy({ orgId: org.orgId, userId: org.userId });
        return rows.filter(({ key }) => key?.startsWith(`booking/${id}/`)).map(({ template }) => template);
      };
      assert.deepEqual(await queueMails(), ['meeting_booked']);
      assert.deepEqual(await queueMails(), ['meeting_booked']);
      assert.deepEqual(await queueMails(), []);
      assert.deepEqual(await queueMails(true), ['meeting_conflict']);
      const details = await listMeetingMails(org.orgId);
      assert.deepEqual(
        details.map((lines) => lines.includes('You have received 2 emails about meetings within a day.')),
        [false, true, false],
      );
    },
  );

  /** Returns the decrypted emails about a workspace’s meetings, oldest first. */
  async function listMeetingMails(orgId: string): Promise<string[]> {
    const rows = await findOpened(parley.database, MailRow, {
      where: { orgId, template: Like('meeting_%') },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    const { keyring } = parley.runtime;
    return rows.map(({ id, content }) => JSON.stringify(decryptMail(keyring, id, content!)));
  }
});
