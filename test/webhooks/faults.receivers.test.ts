import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { until } from '../support/until.ts';
import type { WorkerProcess } from '../support/worker.ts';
import { useWorkerProcesses } from './fault-support.ts';
import { createEndpoint, emitLead } from './support.ts';
import { drip } from '../support/drip.ts';

const BACKLOG = 60;
/** On a machine of two cores that is busy with other tests; the bench tells how long it takes on a quiet one. */
const ISOLATED_MS = 10_000;
const TIMEOUT_MS = 2000;
const GIGABYTE = 1024 ** 3;
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const HEAD_OF_A_GIGABYTE = `HTTP/1.1 200 OK\r\ncontent-length: ${GIGABYTE}\r\n\r\n`;

describe('a receiver', () => {
  const suite = useWorkerProcesses();
  const servers = new LocalServers();
  afterEach(() => servers.close());

  const cases: [does: string, (socket: Socket) => void, status: string, reason: RegExp | null][] = [
    ['that hangs', () => {}, 'retrying', /^timeout: /],
    [
      'that drips its head',
      (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-slow: ', '.'),
      'retrying',
      /^timeout: /,
    ],
    ['that drips its answer', (socket) => drip(socket, HEAD_OF_A_GIGABYTE, '.'), 'retrying', /^timeout: /],
    ['that resets the connection', (socket) => socket.resetAndDestroy(), 'retrying', /^connection_reset: /],
    [
      'that answers before it has read anything',
      (socket) => {
        socket.pause();
        setTimeout(() => socket.end(ANSWER), 20);
      },
      'delivered',
      null,
    ],
    ['that answers a gigabyte', answerGigabyte, 'delivered', null],
  ];
  describe('beside a healthy one', () => {
    let worker: WorkerProcess;
    before(async () => {
      worker = await suite.lastingWorker({ PARLEY_WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) });
    });
    after(() => worker.end('SIGKILL'));

    for (const [does, behave, status, reason] of cases) {
      it(`${does} keeps nobody else waiting, and costs little`, async () => {
        const bad = await servers.tcp((socket) => socket.once('readable', () => behave(socket)));
        await createEndpoint(suite.org, `http://127.0.0.1:${bad}/`);
        const other = await suite.parley.buildOrg();
        const healthy = await suite.receiver();
        await createEndpoint(other, healthy.url);
        for (let index = 0; index < BACKLOG; index += 1) await emitLead(suite.parley, suite.org);
        for (let index = 0; index < 20; index += 1) {
          const emittedAt = Date.now();
          await emitLead(suite.parley, other);
          await until(() => healthy.requests.length === index + 1, 'the healthy endpoint');
          const ms = healthy.requests[index]!.receivedAt - emittedAt;
          assert.ok(ms <= ISOLATED_MS, `${ms} ms`);
          await sleep(50);
        }
        await until(async () => (await suite.deliveries()).some((row) => row.status === status), status);
        const row = (await suite.deliveries()).find((each) => each.status === status);
        if (reason) assert.match(row?.reason ?? '', reason);
        assert.ok((row?.responseBody?.length ?? 0) <= 4096);
        assert.ok(peakMegabytes(worker.pid) < 400, `${peakMegabytes(worker.pid)} MB`);
      });
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

function answerGigabyte(socket: Socket): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', write);
  socket.write(HEAD_OF_A_GIGABYTE);
  write();
}

/** The most memory that the process has had; 0 where the system does not tell. */
function peakMegabytes(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
