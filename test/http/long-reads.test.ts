import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { Type } from '@sinclair/typebox';
import { defineOperation } from '../../api/http/operation.ts';
import { startSharedParley, type SharedParley, type TestOrg } from '../support/parley.ts';
import { serveOperations } from '../support/serve-operations.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';

const SLOTS = 4;

describe('operations with long responses', () => {
  let parley: SharedParley;
  let server: Awaited<ReturnType<typeof serveOperations>>;
  /** Ids of the workspaces whose long reads have started, in order. */
  let started: string[];
  /** Functions that each end a running read. */
  let running: (() => void)[];
  const open: Socket[] = [];

  before(async () => (parley = await startSharedParley()));
  beforeEach(() => {
    started = [];
    running = [];
  });
  afterEach(async () => {
    for (const socket of open.splice(0)) socket.destroy();
    endAll();
    await server.close(0);
  });

  async function serve(longReadWaitMs: number): Promise<void> {
    const settings = { ...parley.runtime.settings, longReadSlots: SLOTS, longReadWaitMs };
    const operations = [buildOperation('long', true), buildOperation('short', false)];
    server = await serveOperations(operations, { ...parley.runtime, settings });
  }

  const buildOperation = (id: string, isLong: boolean) =>
    defineOperation({
      id: id as 'listBots',
      ...(isLong && { isLong }),
      method: 'GET',
      path: `/${id}`,
      tag: 'bots',
      auth: 'member',
      scope: 'bots:read',
      role: 'viewer',
      summary: 'Rows.',
      responses: { 200: Type.Array(Type.String()) },
      handle: async ({ ctx }) => {
        if (!isLong) return [];
        started.push(ctx.orgId);
        await new Promise<void>((resolve) => running.push(resolve));
        return ['row'];
      },
    });

  const endAll = () => {
    for (const end of running.splice(0)) end();
  };

  const buildRequest = ({ key }: TestOrg, path: string) =>
    `GET /${path} HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${key}\r\n\r\n`;

  /** Sends `count` requests of a workspace, each on a separate connection, and returns the sockets. */
  function request(org: TestOrg, count: number, path = 'long'): Socket[] {
    return Array.from({ length: count }, () => {
      const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.setEncoding('latin1');
      socket.write(buildRequest(org, path));
      open.push(socket);
      return socket;
    });
  }

  const readHead = async (socket: Socket): Promise<string> => {
    for await (const chunk of socket) return String(chunk);
    return '';
  };
  const readStatus = async (socket: Socket) => Number((await readHead(socket)).split(' ')[1]);
  const waitForReads = (counts: { started: number; waiting: number }) =>
    waitUntilEqual(() => ({ started: started.length, waiting: server.longReads.waiting }), counts);

  it('run in a few slots, of which one workspace gets at most half while others wait', async () => {
    await serve(60_000);
    const [first, second] = [await parley.buildOrg(), await parley.buildOrg()];
    const sockets = request(first, 6);
    await waitForReads({ started: 2, waiting: 4 });
    sockets.push(...request(second, 6));
    await waitForReads({ started: 3, waiting: 9 });
    assert.deepEqual(started, [first.orgId, first.orgId, second.orgId]);
    const statuses = Promise.all(sockets.map(readStatus));
    await waitUntil(() => {
      assert.ok(running.length <= SLOTS, `${running.length} run at once`);
      endAll();
      return started.length === 12;
    }, 'all reads');
    endAll();
    assert.deepEqual(await statuses, Array<number>(12).fill(200));
  });

  it('do not delay other operations', async () => {
    await serve(60_000);
    const org = await parley.buildOrg();
    request(org, 6);
    await waitForReads({ started: 2, waiting: 4 });
    const [short] = request(org, 1, 'short');
    assert.equal(await readStatus(short!), 200);
  });

  it('are refused with rate_limited before they run if no slot becomes free in time', async () => {
    await serve(100);
    const org = await parley.buildOrg();
    const head = await Promise.race(request(org, 3).map(readHead));
    assert.match(head, /^HTTP\/1.1 429 /);
    assert.match(head, /\r\nRetry-After: 2\r\n/);
    assert.match(head, /"code":"rate_limited"/);
    assert.deepEqual([started.length, server.longReads.waiting], [2, 0]);
  });

  it('never start after their connection was closed', async () => {
    await serve(60_000);
    const org = await parley.buildOrg();
    request(org, 2);
    await waitForReads({ started: 2, waiting: 0 });
    const waiting = request(org, 5);
    await waitForReads({ started: 2, waiting: 5 });
    for (const socket of waiting) socket.destroy();
    await waitForReads({ started: 2, waiting: 0 });
    endAll();
    const [last] = request(org, 1);
    await waitForReads({ started: 3, waiting: 0 });
    endAll();
    assert.equal(await readStatus(last!), 200);
  });
});
