import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { EVENT_STREAM } from '../../api/http/response/event-stream.ts';
import { defineOperation, replyWith, type ServerSentEvent } from '../../api/http/operation.ts';
import { openEvents } from '../support/event-stream.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { serveOperations } from '../support/serve-operations.ts';
import { buildSession } from '../support/widget.ts';

describe('event streams', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ PARLEY_STREAM_HEARTBEAT_MS: '100', PARLEY_STREAM_LONGEST_MS: '1000' });
  });
  after(() => parley.stop());

  it('have comments in between, and end after the longest time with a word of what to do', async () => {
    const { visitor, path } = await buildSession(parley);
    const startedAt = performance.now();
    const text = await (await visitor.fetch(`${path}/events`)).text();
    const elapsedMs = performance.now() - startedAt;
    assert.ok(elapsedMs > 850 && elapsedMs < 20_000, `${elapsedMs} ms`);
    assert.match(text, /^: open\n\n(: keep-alive\n\n)*id: .+\nevent: handoff\n/);
    assert.ok(text.split(': keep-alive\n\n').length > 2);
    assert.ok(text.endsWith(': open the stream again, with Last-Event-ID\n\n'));
  });

  it('lose nothing when they are opened again with Last-Event-ID', async () => {
    const { visitor, path, client, session } = await buildSession(parley, { handoff_enabled: true });
    const inbox = `/api/inbox/${session.session_id}`;
    await client.post(`${inbox}/claim`);
    await client.post(`${inbox}/reply`, { content: 'One' });
    const first = await openEvents(visitor, `${path}/events`, '0');
    assert.equal((await first.next()).data.message.role, 'system');
    const { id, data } = await first.next();
    assert.equal(data.message.content, 'One');
    await first.next();
    await first.closed();
    await client.post(`${inbox}/reply`, { content: 'Two' });
    const second = await openEvents(visitor, `${path}/events`, id);
    assert.equal((await second.next()).data.message.content, 'Two');
    second.close();
  });

  it('of the inbox end after the longest time, too', async () => {
    const { client } = await parley.buildOrg();
    const text = await (await client.fetch('/api/inbox/stream')).text();
    assert.ok(text.endsWith(': open the stream again, with Last-Event-ID\n\n'));
  });

  /** A stream that always has more to say, to a reader who has not begun to read. */
  async function openEndless() {
    let isOver = false;
    const endless = defineOperation({
      id: 'endless' as 'getMeta',
      method: 'GET',
      path: '/endless',
      tag: 'meta',
      auth: 'public',
      scope: null,
      role: null,
      summary: 'Events without end.',
      responses: {
        200: {
          description: 'Events.',
          content: { [EVENT_STREAM]: Type.Object({ text: Type.String() }, { title: 'delta' }) },
        },
      },
      handle: async ({ untilGone }) => {
        const signal = untilGone();
        async function* events(): AsyncGenerator<ServerSentEvent> {
          try {
            while (!signal.aborted) yield { event: 'delta', data: { text: 'x'.repeat(100_000) } };
          } finally {
            isOver = true;
          }
        }
        return replyWith.stream(events());
      },
    });
    const settings = { ...parley.runtime.settings, streamLongestMs: 60_000 };
    const server = await serveOperations([endless], { ...parley.runtime, settings });
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET /endless HTTP/1.1\r\nHost: parley\r\n\r\n');
    socket.pause();
    const close = async () => {
      socket.destroy();
      await server.close(0);
    };
    return { socket, isOver: () => isOver, close };
  }

  it('are cut off when nobody reads them', async () => {
    const { isOver, close } = await openEndless();
    for (let tries = 0; tries < 100 && !isOver(); tries += 1) await delay(50);
    assert.equal(isOver(), true);
    await close();
  });

  it('go on while somebody reads them slowly', async () => {
    const { socket, isOver, close } = await openEndless();
    let readBytes = 0;
    socket.on('data', ({ length }) => {
      readBytes += length;
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
    socket.resume();
    await delay(1500);
    assert.equal(isOver(), false);
    assert.ok(readBytes > 1_000_000, `${readBytes}`);
    await close();
  });
});
