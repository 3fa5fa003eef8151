import assert from 'node:assert/strict';
import { openEventStream, type OpenEventStream } from '../support/event-stream.ts';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

describe('the events of streamWidgetEvents', () => {
  let parley: TestParley;
  let second: TestProcess;
  const open: OpenEventStream[] = [];
  before(async () => {
    parley = await startParley();
    second = await parley.startAnother();
  });
  afterEach(() => open.splice(0).forEach((events) => events.close()));
  after(() => parley.stop());

  async function buildListening() {
    const session = await buildSession(parley, { handoff_enabled: true });
    const openStream = async (lastEventId?: string) => {
      const events = await openEventStream(session.visitor, `${session.path}/events`, lastEventId);
      open.push(events);
      return events;
    };
    return { ...session, listen: openStream, item: `/api/inbox/${session.session.session_id}` as const };
  }

  /** Returns the next event, a system message about a change, which precedes the event of the change itself. */
  const readMessageEvent = async (events: OpenEventStream) => {
    const { event, data } = await events.next();
    return `${event}: ${data.message.role}, ${data.message.content}`;
  };

  it('begin with the conversation’s handoff state, and contain each change of it', async () => {
    const { listen, visitor, path, client, item } = await buildListening();
    const events = await listen();
    assert.deepEqual(await events.next(), {
      id: '0',
      event: 'handoff',
      data: { status: 'active', agent_name: null },
    });
    await visitor.post(`${path}/handoff`, {});
    assert.equal(await readMessageEvent(events), "message: system, We've notified the team.");
    assert.deepEqual((await events.next()).data, {
      status: 'waiting_human',
      agent_name: null,
      queue_position: 1,
    });
    await client.post(`${item}/claim`);
    assert.equal(await readMessageEvent(events), 'message: system, Ada joined the chat');
    assert.deepEqual((await events.next()).data, { status: 'human', agent_name: 'Ada' });
    await client.post(`${item}/release`);
    assert.equal(await readMessageEvent(events), "message: system, You're back with the assistant");
    assert.deepEqual((await events.next()).data, { status: 'active', agent_name: null });
  });

  itInSoak('use at most five streams a session: the oldest stream ends with too_many_streams', async () => {
    const { listen, visitor, path } = await buildListening();
    const streams: OpenEventStream[] = [];
    for (let index = 0; index < 12; index += 1) {
      const stream = await listen();
      assert.equal((await stream.next()).event, 'handoff');
      streams.push(stream);
      const displaced = streams[index - 5];
      if (!displaced) continue;
      const { event, data } = await displaced.next();
      assert.deepEqual([event, data], ['closed', { reason: 'too_many_streams' }]);
      await displaced.waitUntilClosed();
    }
    await visitor.post(`${path}/handoff`, {});
    for (const stream of streams.slice(-5))
      assert.equal(await readMessageEvent(stream), "message: system, We've notified the team.");
  });

  for (const change of selectCases([{ is_public: false }, { status: 'paused' }, { status: 'archived' }], 1))
    it(`end, and turns are refused, when the bot is changed to ${JSON.stringify(change)}`, async () => {
      const { listen, visitor, path, client, bot, session } = await buildListening();
      assert.equal((await visitor.post(`${path}/messages`, { content: 'Hi' })).status, 201);
      const elsewhere = second.client(session.visitor_token);
      const [here, there] = [await listen(), await openEventStream(elsewhere, `${path}/events`)];
      open.push(there);
      for (const stream of [here, there]) await stream.next();
      assert.equal((await client.patch(`/api/bots/${bot.id}`, change)).status, 200);
      for (const stream of [here, there]) {
        const { event, data } = await stream.next();
        assert.deepEqual([event, data], ['closed', { reason: 'bot_off' }]);
        await stream.waitUntilClosed();
      }
      for (const [step, body] of [
        ['messages', { content: 'Hello?' }],
        ['messages/stream', { content: 'Hello?' }],
        ['handoff', {}],
      ] as const) {
        const refused = await visitor.post(`${path}/${step}`, body);
        assert.equal(formatOutcome(refused), '409 conflict', step);
        assert.match(refused.problem.error.message, /switched off/);
      }
      assert.equal((await visitor.get(path)).body.message_count, 2);
      assert.equal((await visitor.post(`${path}/consent`, { consent: 'withdrawn' })).status, 200);
      assert.equal((await (await listen()).next()).event, 'closed');
    });

  it('contain replies from another process as they are stored, and not the visitor’s own messages', async () => {
    const { listen, visitor, path, item, key } = await buildListening();
    await visitor.post(`${path}/handoff`, {});
    const events = await listen();
    await events.next();
    await visitor.post(`${path}/messages`, { content: 'Hello?' });
    const { body } = await second.client(key).post(`${item}/reply`, { content: 'Good morning.' });
    const stored = (await visitor.get(`${path}/messages`)).body;
    for (const message of stored.slice(-2))
      assert.deepEqual(await events.next(), { id: message.id, event: 'message', data: { message } });
    assert.equal(stored.at(-1)?.id, body.id);
    assert.deepEqual((await events.next()).data, { status: 'human', agent_name: 'Ada' });
  });

  itInSoak('arrive within 100 ms of the response to the call that caused them', async () => {
    const { listen, client, item } = await buildListening();
    await client.post(`${item}/claim`);
    const events = await listen();
    await events.next();
    const delays: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      const arrival = events.next().then(() => performance.now());
      await client.post(`${item}/reply`, { content: `Message ${index}` });
      const repliedAt = performance.now();
      delays.push((await arrival) - repliedAt);
    }
    // Use the shortest delay: the machine’s other work delays some events, but not all.
    const leastMs = Math.min(...delays);
    assert.ok(leastMs < 100, `${leastMs} ms`);
  });

  it('continue after Last-Event-ID when the client reconnects', async () => {
    const { listen, client, item } = await buildListening();
    await client.post(`${item}/claim`);
    const before = await listen();
    const { id: start } = await before.next();
    await client.post(`${item}/reply`, { content: 'one' });
    const { id: seen } = await before.next();
    before.close();
    for (const content of ['two', 'three']) await client.post(`${item}/reply`, { content });

    const readTextsAfter = async (id: string | undefined, count: number) => {
      const events = await listen(id);
      const texts = [];
      for (let index = 0; index < count; index += 1) texts.push((await events.next()).data.message.content);
      assert.equal((await events.next()).event, 'handoff');
      return texts;
    };
    assert.deepEqual(await readTextsAfter(seen, 2), ['two', 'three']);
    assert.deepEqual(await readTextsAfter(start, 3), ['one', 'two', 'three']);
  });

  it('start over if Last-Event-ID belongs to another conversation or no event', async () => {
    const { listen, client, item } = await buildListening();
    const other = await buildListening();
    await other.client.post(`${other.item}/claim`);
    const { body } = await other.client.post(`${other.item}/reply`, { content: 'Not for you.' });
    await client.post(`${item}/claim`);
    await client.post(`${item}/reply`, { content: 'Before.' });
    for (const id of [body.id, 'nonsense', ''])
      assert.equal((await (await listen(id)).next()).event, 'handoff');
  });

  it('end when the session ends', async () => {
    const { listen, visitor, path } = await buildListening();
    const events = await listen();
    await events.next();
    await visitor.post(`${path}/end`);
    const { event, data } = await events.next();
    assert.equal(event, 'ended');
    assert.ok(Date.parse(data.ended_at));
    await events.waitUntilClosed();
    const late = await listen();
    assert.equal((await late.next()).event, 'ended');
    await late.waitUntilClosed();
  });

  it('keep the visitor present for the team while the stream is open', async () => {
    const { listen, client, visitor, path, session } = await buildListening();
    await visitor.post(`${path}/handoff`, {});
    const isPresent = async () => (await client.get('/api/inbox'))!.body.items[0]!.visitor_present;
    const markAbsent = () =>
      parley.database.sql(
        "UPDATE conversations SET visitor_seen_at = now() - interval '2 minutes' WHERE id = $1",
        [session.session_id],
      );
    const events = await listen();
    await events.next();
    await markAbsent();
    assert.equal(await isPresent(), false);
    await parley.runtime.services.conversations.visitorEvents.markPresent();
    assert.equal(await isPresent(), true);
  });

  itInSoak('end when the process stops, without delaying it', async () => {
    const other = await startParley({ PARLEY_SHUTDOWN_GRACE_MS: '20000' });
    const { visitor, path } = await buildSession(other);
    const events = await openEventStream(visitor, `${path}/events`);
    await events.next();
    const startedAt = performance.now();
    await Promise.all([other.stop(), events.waitUntilClosed()]);
    assert.ok(performance.now() - startedAt < 10_000);
  });
});
