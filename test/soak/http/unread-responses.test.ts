import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { defineOperation, replyWith } from '../../../api/http/operation.ts';
import { startParley, type TestOrg, type TestParley } from '../../support/parley.ts';
import { serveOperations } from '../../support/serve-operations.ts';
import { waitUntil } from '../../support/wait-until.ts';

const MB = 1024 * 1024;
/** Size in bytes of a response that exceeds the buffers of a connection, which grow to 10 MB. */
const ANSWER_BYTES = 12 * MB;
const ROWS = Array.from({ length: 48 }, () => ({ text: 'x'.repeat(ANSWER_BYTES / 48) }));
const FEW_ROWS = [{ text: 'x'.repeat(ANSWER_BYTES) }];
/** Limits of unread bytes: space for two responses of one caller, and for three in all. */
const LIMITS = { unreadBytesPerCaller: 30 * MB, unreadBytes: 40 * MB };

describe('long responses that clients do not read', () => {
  let parley: TestParley;
  let server: Awaited<ReturnType<typeof serveOperations>>;
  let org: TestOrg;
  const open: Socket[] = [];

  before(async () => (parley = await startParley()));
  after(() => parley.stop());
  beforeEach(async () => {
    const settings = { ...parley.runtime.settings, ...LIMITS };
    server = await serveOperations(
      [
        buildOperation('rows', ROWS),
        buildOperation('few', FEW_ROWS),
        buildOperation('short', []),
        buildExport(),
      ],
      { ...parley.runtime, settings },
    );
    org = await parley.buildOrg();
  });
  afterEach(async () => {
    closeAll();
    await server.close(0);
  });

  function buildOperation(id: string, rows: { text: string }[]) {
    return defineOperation({
      id: id as 'listBots',
      method: 'GET',
      path: `/${id}`,
      tag: 'bots',
      auth: 'member',
      scope: 'bots:read',
      role: 'viewer',
      summary: 'Rows.',
      responses: { 200: Type.Array(Type.Object({ text: Type.String() })) },
      handle: async () => rows,
    });
  }

  /** Builds an operation whose response is generated while it is sent, and never ends. */
  const buildExport = () =>
    defineOperation({
      id: 'exportContacts',
      method: 'GET',
      path: '/export',
      tag: 'contacts',
      auth: 'member',
      scope: 'contacts:read',
      role: 'viewer',
      summary: 'Endless.',
      responses: { 200: { content: { 'text/csv': null }, description: 'Rows.' } },
      handle: async () => {
        const content = Readable.from(generateRows());
        return replyWith.file({ content, contentType: 'text/csv; charset=utf-8', headers: {} });
      },
    });
  function* generateRows() {
    for (;;) yield 'x'.repeat(64 * 1024);
  }

  const buildRequest = ({ key }: TestOrg, path: string) =>
    `GET /${path} HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${key}\r\n\r\n`;

  /** Sends the request on a separate connection and reads only the head of the first response. */
  async function readHead(sent: string): Promise<string> {
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
    open.push(socket);
    socket.on('error', () => undefined);
    socket.write(sent);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    return chunk.toString('latin1');
  }
  const parseStatus = (head: string) => Number(head.split(' ')[1]);
  const ask = async (path = 'rows', by = org) => parseStatus(await readHead(buildRequest(by, path)));

  function closeAll(): void {
    for (const socket of open.splice(0)) socket.destroy();
  }

  it('are refused with rate_limited beyond unreadBytesPerCaller, but not short responses or those of other callers', async () => {
    const other = await parley.buildOrg();
    assert.deepEqual([await ask(), await ask(), await ask(), await ask()], [200, 200, 429, 429]);
    const refusal = await readHead(buildRequest(org, 'rows'));
    assert.match(refusal, /\r\nRetry-After: 5\r\n/);
    assert.match(refusal, /"code":"rate_limited"/);
    assert.equal(await ask('short'), 200);
    assert.equal(await ask('rows', other), 200);
  });

  it('are refused to all callers beyond unreadBytes', async () => {
    const [other, third] = [await parley.buildOrg(), await parley.buildOrg()];
    assert.deepEqual([await ask(), await ask(), await ask('rows', other)], [200, 200, 200]);
    assert.deepEqual([await ask('rows', third), await ask('short', third)], [429, 200]);
  });

  it('count toward the limit even if they have few rows', async () => {
    assert.deepEqual([await ask('few'), await ask('few'), await ask('few')], [200, 200, 429]);
  });

  it('count as 4 MB each if they are generated while they are sent', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) statuses.push(await ask('export'));
    assert.deepEqual(statuses, [...Array<number>(7).fill(200), 429]);
  });

  const isNothingHeld = () => server.unreadResponses.bytes === 0;

  it('no longer count once their connections are closed', async () => {
    assert.deepEqual([await ask(), await ask(), await ask()], [200, 200, 429]);
    closeAll();
    await waitUntil(isNothingHeld, 'the end of the connections');
    assert.deepEqual([await ask(), await ask(), await ask()], [200, 200, 429]);
  });

  it('count once for a connection whose second request waits for the end of the first response', async () => {
    await readHead(buildRequest(org, 'rows').repeat(2));
    assert.deepEqual([await ask(), await ask()], [200, 429]);
    closeAll();
    await waitUntil(isNothingHeld, 'the end of the connections');
  });

  it('no longer count once they have been read', async () => {
    for (let count = 0; count < 5; count += 1) {
      const response = await fetch(`${server.baseUrl}/rows`, {
        headers: { authorization: `Bearer ${org.key}` },
      });
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), ROWS);
    }
  });

  it('are sent even if a single response is longer than unreadBytesPerCaller', async () => {
    await server.close(0);
    const settings = { ...parley.runtime.settings, unreadBytesPerCaller: MB, unreadBytes: MB };
    server = await serveOperations([buildOperation('rows', ROWS)], { ...parley.runtime, settings });
    assert.deepEqual([await ask(), await ask()], [200, 429]);
  });
});
