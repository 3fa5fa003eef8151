import assert from 'node:assert/strict';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { buildFlowBot } from '../flows/flow-visits.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { saveTooLongMeetings, openCalendar } from './support.ts';

/** A flow that offers meeting slots to the visitor, and ends with a message for each outcome. */
const OFFERING = buildGraph(
  [
    buildNode('booking', { text: 'When will you come?' }, 'book'),
    buildNode('end', { message: 'Until {{vars.booking_time}} ({{vars.booking_timezone}}).' }, 'done'),
    buildNode('end', { message: 'Another time, then.' }, 'none'),
    buildNode('end', { message: 'Bookings are closed.' }, 'gone'),
  ],
  'book booked done',
  'book none none',
  'book unavailable gone',
);
const ALWAYS = { business_open_hour: 0, business_close_hour: 24, weekdays_only: false, timezone: 'UTC' };

describe('a booking step of a flow', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function build(settings: object = ALWAYS) {
    const built = await buildFlowBot(parley, []);
    await openCalendar(built.client, settings);
    const flow = await built.activate({ graph: OFFERING, trigger: 'first_message' });
    const visitor = await built.visit();
    const slots = async () => {
      const { body } = await parley.client().get(`/api/public/bots/${built.bot.public_key}/slots`);
      return body as { start: string }[];
    };
    return { ...built, ...visitor, flow, slots };
  }

  const request = (start: string) => ({ start, summary: 'Viewing', attendee_email: 'rui@example.com' });

  it('waits for input of kind booking, and takes the `booked` port once the visitor books', async () => {
    const { say, slots, visitor, path, history } = await build();
    const asked = await say('Hi');
    assert.equal(asked.content, 'When will you come?');
    assert.equal(asked.input!.kind, 'booking');
    assert.deepEqual(
      asked.input!.options.map(({ id }) => id),
      ['booked', 'none'],
    );
    const start = (await slots())[3]!.start;
    const { body, status } = await visitor.post(`${path}/bookings?timezone=Asia/Kathmandu`, request(start));
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.source, 'flow');
    await waitUntil(async () => (await history()).length === 3, 'the flow to go on');
    const local = new Date(Date.parse(start) + (5 * 60 + 45) * 60_000).toISOString();
    assert.equal(
      (await history()).at(-1)!.content,
      `Until ${local.slice(0, 10)} ${local.slice(11, 16)} (Asia/Kathmandu).`,
    );
  });

  it('takes the `none` port if the visitor declines, writes something else, or claims a booking that does not exist', async () => {
    for (const answer of [
      { content: 'None', option_id: 'none' },
      { content: 'I would rather phone' },
      { content: 'Booked', option_id: 'booked' },
    ]) {
      const { say } = await build();
      await say('Hi');
      const { content, ...more } = answer;
      assert.equal((await say(content, more)).content, 'Another time, then.');
    }
  });

  itInSoak(
    'takes the `unavailable` port if no slot fits, bookings are paused, or the calendar was deleted',
    async () => {
      const { client, org, visit } = await buildPaused();
      assert.equal((await (await visit()).say('Hi')).content, 'Bookings are closed.');
      await openCalendar(client, { is_active: true });
      await saveTooLongMeetings(parley, org);
      assert.equal((await (await visit()).say('Hi')).content, 'Bookings are closed.');
      await parley.database.sql('DELETE FROM calendar_connections WHERE org_id = $1', [org]);
      assert.equal((await (await visit()).say('Hi')).content, 'Bookings are closed.');
    },
  );

  async function buildPaused() {
    const { client, visit, orgId } = await build({ ...ALWAYS, is_active: false });
    return { client, visit, org: orgId };
  }

  itInSoak('ignores a booking that the visitor makes after declining', async () => {
    const { say, slots, visitor, path, history } = await build();
    await say('Hi');
    await say('None', { option_id: 'none' });
    const { body } = await visitor.post(`${path}/bookings`, request((await slots())[0]!.start));
    assert.equal(body.source, 'widget');
    assert.equal((await history()).length, 4);
  });

  it('needs a calendar before its flow can be activated', async () => {
    const { activate, draw, client } = await buildFlowBot(parley, []);
    const { id } = await draw({ graph: OFFERING, trigger: 'first_message' });
    const { body, status } = await client.post(`/api/flows/${id}/activate`);
    assert.equal(status, 422, JSON.stringify(body));
    await openCalendar(client);
    await activate({ graph: OFFERING, trigger: 'no_answer' });
  });

  itInSoak('makes no booking in a trial run', async () => {
    const { client, flow } = await build();
    const runFlow = async (inputs: object[]) =>
      (await client.post(`/api/flows/${flow.id}/run`, { inputs })).body;
    const waiting = await runFlow([]);
    assert.deepEqual([waiting.outcome, waiting.waiting_for!.kind], ['waiting', 'booking']);
    const booked = await runFlow([{ option_id: 'booked' }]);
    assert.match(booked.messages.at(-1)!.content, /^Until \d{4}-\d\d-\d\d 12:00 \(UTC\)\.$/);
    assert.equal((await runFlow([{ option_id: 'none' }])).messages.at(-1)!.content, 'Another time, then.');
    assert.deepEqual((await client.get('/api/bookings')).body, []);
  });
});
