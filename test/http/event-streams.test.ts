import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { EVENT_STREAM } from '../../api/http/response/event-stream.ts';
import { defineOperation, replyWith, type ServerSentEvent } from '../../api/http/operation.ts';
import { readEvents, type ReceivedEvent } from '../support/event-stream.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { serveOperations } from '../support/serve-operations.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildSession } from '../support/widget.ts';

describe('event streams', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ streamHeartbeatMs: 100, streamMaxMs: 1000 });
  });
  after(() => parley.stop());

  it('contain comments as heartbeats', async () => {
    const patient = await parley.startAnother({ streamMaxMs: 60_000 });
    const { session, path } = await buildSession(parley);
    const { body } = await patient.client(session.visitor_token).fetch(`${path}/events`);
    let text = '';
    for await (const bytes of body!) {
      text += Buffer.from(bytes).toString();
      if (text.split(': keep-alive\n\n').length > 2) break;
    }
    await patient.stop();
  });

  it('end after their maximum duration with a hint to reconnect', async () => {
    const { visitor, path } = await buildSession(parley);
    const startedAt = performance.now();
    const text = await (await visitor.fetch(`${path}/events`)).text();
    const elapsedMs = performance.now() - startedAt;
    assert.ok(elapsedMs > 850 && elapsedMs < 20_000, `${elapsedMs} ms`);
    assert.match(text, /^: open {2048}\n\n(: keep-alive\n\n)*id: .+\nevent: handoff\n/);
    assert.ok(text.endsWith(': open the stream again, with Last-Event-ID\n\n'));
  });

  it('lose no event when they are reopened with Last-Event-ID', async () => {
    const { visitor, path, client, session } = await buildSession(parley, { handoff_enabled: true });
    const inbox = `/api/inbox/${session.session_id}`;
    await client.post(`${inbox}/claim`);
    await client.post(`${inbox}/reply`, { content: 'One' });
    const seen: ReceivedEvent[] = [];
    const messages = () => seen.flatMap(({ data }) => (data.message ? [data.message] : []));
    /** Reads event streams, each to its end, until they contain a message with this content. */
    const readUntil = async (content: string): Promise<void> => {
      while (!messages().some((message) => message.content === content)) {
        const headers = { 'last-event-id': seen.findLast(({ id }) => id !== undefined)?.id ?? '0' };
        seen.push(...(await readEvents(await visitor.fetch(`${path}/events`, { headers }))));
      }
    };
    await readUntil('One');
    await client.post(`${inbox}/reply`, { content: 'Two' });
    await readUntil('Two');
    assert.deepEqual(
      messages().map(({ role, content }) => (role === 'system' ? role : content)),
      ['system', 'One', 'Two'],
    );
  });

  itInSoak('of the inbox end after their maximum duration', async () => {
    const { client } = await parley.buildOrg();
    const text = await (await client.fetch('/api/inbox/stream')).text();
    assert.ok(text.endsWith(': open the stream again, with Last-Event-ID\n\n'));
  });

  /** Opens an event stream that always has another event, of which the client has read nothing yet. */
  async function openEndless(streamHeartbeatMs: number) {
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
      handle: async ({ getCloseSignal }) => {
        const signal = getCloseSignal();
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
    const settings = { ...parley.runtime.settings, streamMaxMs: 120_000, streamHeartbeatMs };
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

  itInSoak('are cut off if the client does not read them', async () => {
    const { isOver, close } = await openEndless(100);
    await waitUntil(isOver, 'the end of the stream');
    await close();
  });

  itInSoak('continue while the client reads them slowly', async () => {
    const heartbeatMs = 1000;
    const { socket, isOver, close } = await openEndless(heartbeatMs);
    let readBytes = 0;
    socket.on('data', ({ length }) => {
      readBytes += length;
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
    socket.resume();
    await delay(5 * heartbeatMs);
    await waitUntil(() => isOver() || readBytes > 1_000_000, 'a megabyte to be read');
    assert.equal(isOver(), false);
    await close();
  });
});
