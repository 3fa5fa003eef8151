import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Type } from '@sinclair/typebox';
import { defineOperation, replyWith, type ServerSentEvent } from '../../api/http/operation.ts';
import { EVENT_STREAM } from '../../api/http/response/event-stream.ts';
import { yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { assertLeastBelow } from '../support/cost.ts';
import { measureLoop } from '../support/loop-meter.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { serveOperations } from '../support/serve-operations.ts';
import { waitUntil } from '../support/wait-until.ts';

const MAX_BLOCKED_MS = 50;

describe('pipelined requests', () => {
  let parley: TestParley;
  let server: Awaited<ReturnType<typeof serveOperations>>;
  let started: string[];
  let finish: () => void;
  const open: Socket[] = [];

  before(async () => (parley = await startParley()));
  after(() => parley.stop());

  beforeEach(async () => {
    started = [];
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const operations = [
      buildOperation('wait', async () => {
        started.push('wait');
        await finished;
        return { text: 'wait' };
      }),
      ...['first', 'second'].map((id) =>
        buildOperation(id, async () => {
          started.push(id);
          return { text: id };
        }),
      ),
      defineOperation({
        ...describeOperation('stream'),
        responses: {
          200: {
            description: 'Events.',
            content: { [EVENT_STREAM]: Type.Object({ text: Type.String() }, { title: 'delta' }) },
          },
        },
        handle: async () => {
          started.push('stream');
          async function* events(): AsyncGenerator<ServerSentEvent> {
            yield { event: 'delta', data: { text: 'stream' } };
            await finished;
          }
          return replyWith.stream(events());
        },
      }),
    ];
    server = await serveOperations(operations, parley.runtime);
  });
  afterEach(async () => {
    for (const socket of open.splice(0)) socket.destroy();
    finish();
    await server.close(0);
  });

  /** Opens a connection to the server, and collects the texts of the responses on it. */
  async function openConnection() {
    const socket = connect(server.port, '127.0.0.1');
    open.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    let received = '';
    socket.setEncoding('utf8').on('data', (data) => (received += String(data)));
    const listTexts = () => [...received.matchAll(/"text":"(\w+)"/g)].map(([, text]) => text);
    const waitForTexts = (count: number) =>
      waitUntil(() => listTexts().length >= count, `${count} responses`).then(listTexts);
    return { socket, listTexts, waitForTexts };
  }

  it('are started and answered one after another, in the order in which they arrive', async () => {
    const { socket, listTexts, waitForTexts } = await openConnection();
    socket.write(buildRequests('wait', 'first', 'second'));
    await waitUntil(() => started.length > 0, 'the first request');
    await yieldTurns();
    assert.deepEqual([started, listTexts()], [['wait'], []]);
    finish();
    assert.deepEqual(await waitForTexts(3), ['wait', 'first', 'second']);
    assert.deepEqual(started, ['wait', 'first', 'second']);
  });

  it('wait behind a stream until it ends', async () => {
    const { socket, waitForTexts } = await openConnection();
    socket.write(buildRequests('stream', 'first'));
    assert.deepEqual(await waitForTexts(1), ['stream']);
    await yieldTurns();
    assert.deepEqual(started, ['stream']);
    finish();
    assert.deepEqual(await waitForTexts(2), ['stream', 'first']);
  });

  it('with bodies wait as well, and arrive completely', async () => {
    const { socket, waitForTexts } = await openConnection();
    const body = 'x'.repeat(200_000);
    socket.write(buildRequests('wait', 'first'));
    socket.write(`GET /second HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    socket.write(buildRequests('first'));
    await waitUntil(() => started.length > 0, 'the first request');
    finish();
    assert.deepEqual(await waitForTexts(4), ['wait', 'first', 'second', 'first']);
  });

  it('are all answered if 16 of them wait', async () => {
    const { socket, waitForTexts } = await openConnection();
    const ids = ['wait', ...Array.from({ length: 16 }, () => 'first')];
    socket.write(buildRequests(...ids));
    await waitUntil(() => started.length > 0, 'the first request');
    finish();
    assert.deepEqual(await waitForTexts(17), ids);
  });

  it('close their connection if 17 of them wait, and none of them is started', async () => {
    const { socket, listTexts } = await openConnection();
    socket.write(buildRequests('wait', ...Array.from({ length: 17 }, () => 'first')));
    await once(socket, 'close');
    finish();
    await yieldTurns();
    assert.deepEqual([started, listTexts()], [['wait'], []]);
  });

  itInSoak('are dropped if their connection closes', async () => {
    const { socket } = await openConnection();
    socket.write(buildRequests('wait', 'first'));
    await waitUntil(() => started.length > 0, 'the first request');
    socket.destroy();
    await waitUntil(async () => (await countConnections()) === 0, 'the connection to close');
    finish();
    await yieldTurns();
    assert.deepEqual(started, ['wait']);
  });

  itInSoak('do not keep the server from closing once they are answered', async () => {
    const { socket, waitForTexts } = await openConnection();
    socket.write(buildRequests('wait', 'first'));
    await waitUntil(() => started.length > 0, 'the first request');
    const closed = server.close(60_000);
    const startedAt = performance.now();
    finish();
    await closed;
    assert.ok(performance.now() - startedAt < 20_000);
    assert.equal((await waitForTexts(1))[0], 'wait');
  });

  itInSoak('block the event loop for less than 50 ms if 1,600 arrive in one write', async () => {
    const requests = buildRequests(...Array.from({ length: 1600 }, () => 'first'));
    await assertLeastBelow(MAX_BLOCKED_MS, async () => {
      const { socket } = await openConnection();
      const { blockedMs } = await measureLoop(async () => {
        socket.end(requests);
        await once(socket, 'close');
        await waitUntil(async () => (await countConnections()) === 0, 'the connection to close');
      });
      return blockedMs;
    });
  });

  it('do not affect later requests: requests that are sent after a response are answered at once', async () => {
    const { socket, waitForTexts } = await openConnection();
    for (let count = 1; count <= 40; count += 1) {
      socket.write(buildRequests('first'));
      await waitForTexts(count);
    }
    assert.equal(started.length, 40);
  });

  const countConnections = () =>
    new Promise<number>((resolve, reject) => {
      server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
});

/** Gives requests that do not have to wait the time to start. */
async function yieldTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await yieldToEventLoop();
}

function buildRequests(...ids: string[]): string {
  return ids.map((id) => `GET /${id} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
}

function buildOperation(id: string, handle: () => Promise<{ text: string }>) {
  return defineOperation({
    ...describeOperation(id),
    responses: { 200: Type.Object({ text: Type.String() }) },
    handle,
  });
}

function describeOperation(id: string) {
  return {
    id: id as 'getMeta',
    method: 'GET',
    path: `/${id}`,
    tag: 'meta',
    auth: 'public',
    scope: null,
    role: null,
    isUnmetered: true,
    summary: 'For this test.',
  } as const;
}
