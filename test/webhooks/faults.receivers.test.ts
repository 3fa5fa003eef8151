import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { until } from '../support/until.ts';
import { answerGigabyte, BAD_RECEIVERS } from './bad-receivers.ts';
import { useWorkerProcesses } from './fault-support.ts';
import { createEndpoint, emitLead } from './support.ts';

/** To each of the bad ones. */
const BACKLOG = 10;
/** On a machine of two cores that is busy with other tests; the bench tells how long it takes on a quiet one. */
const ISOLATED_MS = 10_000;

describe('a receiver', () => {
  const suite = useWorkerProcesses(() => ({ PARLEY_WEBHOOK_TIMEOUT_MS: '2000' }));
  const servers = new LocalServers();
  afterEach(() => servers.close());

  it('that hangs, drips, resets, hurries or answers a gigabyte keeps nobody else waiting', async () => {
    const expected = new Map<string, (typeof BAD_RECEIVERS)[number]>();
    for (const receiver of BAD_RECEIVERS) {
      const port = await servers.tcp((socket) => socket.once('readable', () => receiver[1](socket)));
      const { id } = await createEndpoint(suite.org, `http://127.0.0.1:${port}/`);
      expected.set(id, receiver);
    }
    const other = await suite.parley.buildOrg();
    const healthy = await suite.receiver();
    await createEndpoint(other, healthy.url);
    await suite.workerHere();
    for (let index = 0; index < BACKLOG; index += 1) await emitLead(suite.parley, suite.org);
    for (let index = 0; index < 20; index += 1) {
      const emittedAt = Date.now();
      await emitLead(suite.parley, other);
      await until(() => healthy.requests.length === index + 1, 'the healthy endpoint');
      const ms = healthy.requests[index]!.receivedAt - emittedAt;
      assert.ok(ms <= ISOLATED_MS, `${ms} ms`);
    }
    for (const [id, [does, , status, reason]] of expected) {
      const find = async () =>
        (await suite.deliveries()).find((row) => row.webhookId === id && row.status === status);
      await until(async () => (await find()) !== undefined, `what becomes of a delivery to one ${does}`);
      const row = await find();
      if (reason) assert.match(row?.reason ?? '', reason, does);
      assert.ok((row?.responseBody?.length ?? 0) <= 4096, does);
    }
  });

  it('that answers a gigabyte is hung up on after a little of it', async () => {
    const sockets: Socket[] = [];
    const port = await servers.tcp((socket) => {
      sockets.push(socket);
      socket.once('readable', () => answerGigabyte(socket));
    });
    await createEndpoint(suite.org, `http://127.0.0.1:${port}/`);
    await suite.workerHere();
    await emitLead(suite.parley, suite.org);
    const [row] = await suite.settled(1);
    assert.deepEqual([row!.status, row!.responseBody], ['delivered', 'x'.repeat(4096)]);
    await until(() => sockets.every(({ destroyed }) => destroyed), 'the end of the connection');
    assert.ok(sockets[0]!.bytesWritten < 16 * 1024 ** 2, `${sockets[0]!.bytesWritten} bytes`);
  });
});
