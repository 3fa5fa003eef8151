import assert from 'node:assert/strict';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { findOutboxEvents } from '../support/widget.ts';
import { buildBookableBot, readFieldErrors, openCalendar, SetClock } from './support.ts';

const TUESDAY = '2026-11-24';
const onTuesday = (time: string) => `${TUESDAY}T${time}:00.000Z`;
const RUI = { summary: 'Viewing', attendee_name: 'Rui Costa', attendee_email: 'rui@example.com' };

describe('bookings of visitors:', () => {
  const clock = new SetClock('2026-11-23T08:00:00.000Z');
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ PARLEY_TRUSTED_PROXIES: '1' }, { clock });
  });
  after(() => parley.stop());
  afterEach(() => void (clock.at = '2026-11-23T08:00:00.000Z'));

  /** Returns headers with a network address that no other caller has. */
  let callers = 0;
  const buildNextCallerHeaders = () => ({ 'x-forwarded-for': `198.51.100.${(callers += 1)}` });
  const findRows = (orgId: string) =>
    parley.database
      .repository(Booking)
      .find({ where: { orgId }, order: { startsAt: 'ASC', createdAt: 'ASC' } });

  describe('listWidgetSlots', () => {
    it('returns 403 to pages that may not embed the bot', async () => {
      const { bot, client } = await buildBookableBot(parley);
      await client.patch(`/api/bots/${bot.id}`, { allowed_domains: ['shop.example'] });
      const path = `/api/public/bots/${bot.public_key}/slots` as const;
      const outcomes = ['https://shop.example', 'https://other.example'].map(async (origin) =>
        formatOutcome(await parley.client().get(path, { origin })),
      );
      assert.deepEqual(await Promise.all(outcomes), ['200', '403 forbidden']);
    });

    it('offers slots at least an hour ahead, in the visitor’s time zone', async () => {
      const { bot } = await buildBookableBot(parley, { business_close_hour: 12 });
      clock.at = '2026-11-23T09:30:00.001Z';
      const { body } = await parley
        .client()
        .get(`/api/public/bots/${bot.public_key}/slots?to=2026-11-24T09:30:00Z&timezone=Asia/Kolkata`);
      assert.deepEqual(body, [
        {
          start: '2026-11-23T11:00:00.000Z',
          end: '2026-11-23T11:30:00.000Z',
          local_start: '2026-11-23T16:30:00+05:30',
        },
        {
          start: '2026-11-23T11:30:00.000Z',
          end: '2026-11-23T12:00:00.000Z',
          local_start: '2026-11-23T17:00:00+05:30',
        },
        {
          start: '2026-11-24T09:00:00.000Z',
          end: '2026-11-24T09:30:00.000Z',
          local_start: '2026-11-24T14:30:00+05:30',
        },
      ]);
    });

    itInSoak(
      'returns the first 1,000 slots, and further slots if asked from the start of the last slot',
      async () => {
        const { bot } = await buildBookableBot(parley, {
          slot_minutes: 5,
          business_open_hour: 0,
          business_close_hour: 24,
          weekdays_only: false,
        });
        const listStarts = async (from: number) => {
          const range = `from=${new Date(from).toISOString()}&to=2026-12-01T00:00:00.000Z`;
          const { body } = await parley.client().get(`/api/public/bots/${bot.public_key}/slots?${range}`);
          return body.map(({ start }) => start);
        };
        const from = Date.parse('2026-11-24T00:00:00.000Z');
        const all: string[] = [];
        const lengths: number[] = [];
        for (let next = from; ; next = Date.parse(all.at(-1)!) + 1) {
          const some = await listStarts(next);
          if (some.length === 0) break;
          lengths.push(some.length);
          all.push(...some);
        }
        assert.deepEqual(lengths, [1000, 1000, 16]);
        const expected = Array.from({ length: 7 * 288 }, (_, at) =>
          new Date(from + at * 300_000).toISOString(),
        );
        assert.deepEqual(all, expected);
      },
    );

    it('returns 404 for an inactive bot, and 409 while bookings are paused', async () => {
      const { bot, client } = await buildBookableBot(parley, { is_active: false });
      const path = `/api/public/bots/${bot.public_key}/slots` as const;
      assert.equal(formatOutcome(await parley.client().get(path)), '409 conflict');
      await openCalendar(client, { is_active: true });
      assert.equal(formatOutcome(await parley.client().get(path)), '200');
      await client.patch(`/api/bots/${bot.id}`, { status: 'archived' });
      assert.equal(formatOutcome(await parley.client().get(path)), '404 not_found');
    });
  });

  it('listWidgetSlots and createWidgetBooking tell visitors that the calendar is closed, and tell the team why', async () => {
    const { visit, bot, client, orgId } = await buildBookableBot(parley);
    const { book } = await visit();
    const range = 'from=2026-11-24T00:00:00Z&to=2026-11-25T00:00:00Z';
    const readMessages = async () => {
      const slots = await parley.client().get(`/api/public/bots/${bot.public_key}/slots?${range}`);
      const booked = await book({ ...RUI, start: onTuesday('10:00') });
      const team = await client.get(`/api/bookings/slots?${range}`);
      assert.deepEqual([slots, booked, team].map(formatOutcome), Array(3).fill('409 conflict'));
      return [slots, booked, team].map(
        ({ body }) => (body as unknown as { error: { message: string } }).error.message,
      );
    };
    const closed = 'No meetings can be booked here at the moment. Please contact us in another way.';
    await openCalendar(client, { is_active: false });
    const paused = 'Bookings are paused: set is_active in the calendar’s settings.';
    assert.deepEqual(await readMessages(), [closed, closed, paused]);
    await openCalendar(client, { is_active: true });
    await parley.database.sql(
      "UPDATE calendar_connections SET health = 'reconnect_needed' WHERE org_id = $1",
      [orgId],
    );
    const ended = 'Connect the calendar again before you book meetings.';
    assert.deepEqual(await readMessages(), [closed, closed, ended]);
    await parley.database.sql('DELETE FROM calendar_connections WHERE org_id = $1', [orgId]);
    const none =
      'The workspace has no calendar. Connect a calendar, or save the calendar settings to accept bookings without one.';
    assert.deepEqual(await readMessages(), [closed, closed, none]);
  });

  describe('createWidgetBooking', () => {
    it('links the booking to conversation, bot and contact, and shows none of them to the visitor', async () => {
      const { visit, orgId, bot, client } = await buildBookableBot(parley);
      const { book, sessionId } = await visit();
      const { status, body } = await book(
        { ...RUI, start: onTuesday('10:00') },
        { ...buildNextCallerHeaders(), 'accept-language': 'sv, pt-BR;q=0.8' },
        '?timezone=Asia/Tokyo',
      );
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual([body.bot_id, body.conversation_id, body.contact_id], [null, null, null]);
      assert.match(String(body.manage_url), /\/meetings\/[\w-]+\.[\w-]+$/);
      assert.equal(body.ics_url, `${body.manage_url}/meeting.ics`);
      const [contact] = await parley.database.repository(Contact).findBy({ orgId });
      assert.deepEqual(
        [contact?.name, contact?.email, contact?.isLead],
        ['Rui Costa', 'rui@example.com', true],
      );
      const { body: read } = await client.get(`/api/bookings/${body.id}`);
      assert.deepEqual(
        [read.bot_id, read.conversation_id, read.contact_id, read.source, read.attendee_timezone],
        [bot.id, sessionId, contact?.id, 'widget', 'Asia/Tokyo'],
      );
      assert.deepEqual([read.manage_url, read.ics_url], [body.manage_url, body.ics_url]);
      const [row] = await findRows(orgId);
      assert.equal(row?.language, 'pt');
      assert.deepEqual(await findOutboxEvents(parley, orgId), [
        'conversation.started',
        'lead.captured',
        'booking.created',
      ]);
    });

    it('uses the contact’s name and address by default, and requires an address', async () => {
      const { visit, orgId } = await buildBookableBot(parley);
      const { book, visitor, path } = await visit();
      const refused = await book({ summary: 'Viewing', start: onTuesday('10:00') }, buildNextCallerHeaders());
      assert.deepEqual(readFieldErrors(refused), {
        attendee_email: 'is required: the confirmation is sent to this address',
      });
      await book({ ...RUI, start: onTuesday('10:00') }, buildNextCallerHeaders());
      const { body } = await visitor.get(path);
      assert.deepEqual(body.attendee, { name: null, email: null, has_email: true });
      const second = await book(
        { summary: 'Second', start: onTuesday('11:00'), attendee_email: null },
        buildNextCallerHeaders(),
      );
      assert.deepEqual(
        [second.status, second.body.attendee_name, second.body.attendee_email],
        [201, 'Rui Costa', 'rui@example.com'],
      );
      assert.equal((await findRows(orgId)).length, 2);
    });

    it('returns the first booking for the same session, start and address', async () => {
      const { visit, orgId } = await buildBookableBot(parley);
      const { book } = await visit();
      const [first, again] = await Promise.all(
        [RUI, { ...RUI, attendee_email: 'RUI@example.com', summary: 'Again' }].map((request) =>
          book({ ...request, start: onTuesday('10:00') }, buildNextCallerHeaders()),
        ),
      );
      assert.deepEqual([first?.status, again?.status], [201, 201]);
      assert.deepEqual(first?.body, again?.body);
      const other = { ...RUI, attendee_email: 'ines@example.com' };
      assert.equal(
        formatOutcome(await book({ ...other, start: onTuesday('10:00') }, buildNextCallerHeaders())),
        '409 slot_taken',
      );
      clock.at = onTuesday('09:30');
      assert.deepEqual(
        (await book({ ...RUI, start: onTuesday('10:00') }, buildNextCallerHeaders())).body,
        first?.body,
      );
      assert.equal((await findRows(orgId)).length, 1);
    });

    itInSoak('gives a slot to one of twenty simultaneous visitors at one address', async () => {
      const { visit, orgId } = await buildBookableBot(parley);
      const visits = await Promise.all(Array.from({ length: 20 }, visit));
      const from = buildNextCallerHeaders();
      const outcomes = await Promise.all(
        visits.map(async ({ book }, index) =>
          formatOutcome(
            await book({ ...RUI, attendee_email: `v${index}@example.com`, start: onTuesday('10:00') }, from),
          ),
        ),
      );
      assert.deepEqual(outcomes.sort(), ['201', ...Array<string>(19).fill('409 slot_taken')]);
      assert.equal((await findRows(orgId)).length, 1);
    });

    itInSoak(
      'gives a slot to one of several simultaneous visitors, even if the first requests are invalid',
      async () => {
        const { visit, orgId } = await buildBookableBot(parley);
        const visits = await Promise.all(Array.from({ length: 9 }, visit));
        const from = buildNextCallerHeaders();
        const outcomes = await Promise.all(
          visits.map(async ({ book }, index) => {
            const email = index < 6 ? {} : { attendee_email: `v${index}@example.com` };
            return formatOutcome(
              await book({ summary: 'Viewing', ...email, start: onTuesday('10:00') }, from),
            );
          }),
        );
        assert.equal(outcomes.filter((outcome) => outcome === '201').length, 1);
        assert.deepEqual(outcomes.slice(6).sort(), ['201', '409 slot_taken', '409 slot_taken']);
        assert.equal((await findRows(orgId)).length, 1);
        const next = { ...RUI, start: onTuesday('11:00') };
        assert.equal(formatOutcome(await visits[0]!.book(next, from)), '201');
      },
    );

    it('returns 409 after the visitor denied consent, and while the bot is archived', async () => {
      const { visit, client, bot } = await buildBookableBot(parley);
      const { book, visitor, path } = await visit();
      await visitor.post(`${path}/consent`, { consent: 'denied' });
      assert.equal(
        formatOutcome(await book({ ...RUI, start: onTuesday('10:00') }, buildNextCallerHeaders())),
        '409 conflict',
      );
      await visitor.post(`${path}/consent`, { consent: 'granted' });
      await client.patch(`/api/bots/${bot.id}`, { status: 'archived' });
      assert.equal(
        formatOutcome(await book({ ...RUI, start: onTuesday('10:00') }, buildNextCallerHeaders())),
        '409 conflict',
      );
    });

    it('accepts five bookings an hour from one network address, without counting refused bookings', async () => {
      const { visit, orgId } = await buildBookableBot(parley);
      const visits = await Promise.all(Array.from({ length: 8 }, visit));
      const from = buildNextCallerHeaders();
      const outcomes = await Promise.all(
        visits.map(({ book }, index) =>
          book(
            {
              ...RUI,
              attendee_email: `v${index}@example.com`,
              start: onTuesday(`${10 + Math.floor(index / 2)}:${index % 2 ? '30' : '00'}`),
            },
            from,
          ),
        ),
      );
      assert.deepEqual(outcomes.map(formatOutcome).sort(), [
        ...Array<string>(5).fill('201'),
        ...Array<string>(3).fill('429 rate_limited'),
      ]);
      const refused = outcomes.find(({ status }) => status === 429)!;
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(seconds > 3500 && seconds <= 3600, String(seconds));
      assert.equal((await findRows(orgId)).length, 5);
    });

    it('accepts three upcoming bookings per email address, and another booking after a cancellation', async () => {
      const { visit, orgId, client } = await buildBookableBot(parley);
      const visits = await Promise.all(Array.from({ length: 6 }, visit));
      const outcomes = await Promise.all(
        visits.map(({ book }, index) =>
          book(
            {
              ...RUI,
              attendee_email: index % 2 ? 'Rui@Example.com' : 'rui@example.com',
              start: onTuesday(`${10 + index}:00`),
            },
            buildNextCallerHeaders(),
          ),
        ),
      );
      assert.deepEqual(outcomes.map(formatOutcome).sort(), [
        ...Array<string>(3).fill('201'),
        ...Array<string>(3).fill('429 rate_limited'),
      ]);
      const rows = await findRows(orgId);
      assert.equal(rows.length, 3);
      const [next] = rows;
      const refused = outcomes.find(({ status }) => status === 429)!;
      assert.equal(
        refused.headers.get('retry-after'),
        String((next!.startsAt.getTime() - clock.now().getTime()) / 1000),
      );
      await client.post(`/api/bookings/${next!.id}/cancel`, {});
      const { book } = await visit();
      assert.equal(
        formatOutcome(await book({ ...RUI, start: next!.startsAt.toISOString() }, buildNextCallerHeaders())),
        '201',
      );
    });
  });

  describe('getWidgetConfig', () => {
    it('returns whether meetings can be booked', async () => {
      const { bot, client } = await buildBookableBot(parley, { slot_minutes: 45, timezone: 'Europe/Lisbon' });
      const readBookingConfig = async () =>
        (await parley.client().get(`/api/public/bots/${bot.public_key}/config`)).body.booking;
      assert.deepEqual(await readBookingConfig(), {
        slot_minutes: 45,
        timezone: 'Europe/Lisbon',
        horizon_days: 90,
      });
      await openCalendar(client, { is_active: false });
      assert.equal(await readBookingConfig(), null);
      await openCalendar(client, { is_active: true });
      await parley.database.sql(
        "UPDATE calendar_connections SET health = 'reconnect_needed' WHERE org_id = $1",
        [bot.org_id],
      );
      assert.equal(await readBookingConfig(), null);
    });
  });
});
