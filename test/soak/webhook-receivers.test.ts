import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { WorkerProcess } from '../support/worker.ts';
import { useWorkerProcesses } from '../webhooks/fault-support.ts';
import { BAD_RECEIVERS } from '../webhooks/bad-receivers.ts';
import { createEndpoint, emitLead } from '../webhooks/support.ts';

const BACKLOG = 60;
/**
 * Maximum time in milliseconds for deliveries on a machine of two cores that is busy with other tests; the
 * bench measures an idle machine.
 */
const ISOLATED_MS = 10_000;
const TIMEOUT_MS = 2000;
describe('a receiver', () => {
  const suite = useWorkerProcesses();
  const servers = new LocalServers();
  afterEach(() => servers.close());

  describe('next to a healthy receiver', () => {
    let worker: WorkerProcess;
    before(async () => {
      worker = await suite.lastingWorker({ webhookTimeoutMs: TIMEOUT_MS });
    });
    after(() => worker.end('SIGKILL'));

    for (const [does, behave, status, reason] of BAD_RECEIVERS) {
      it(`${does} does not delay other deliveries, and costs little`, async () => {
        const bad = await servers.tcp((socket) => socket.once('readable', () => behave(socket)));
        await createEndpoint(suite.org, `http://127.0.0.1:${bad}/`);
        const other = await suite.parley.buildOrg();
        const healthy = await suite.receiver();
        await createEndpoint(other, healthy.url);
        for (let index = 0; index < BACKLOG; index += 1) await emitLead(suite.parley, suite.org);
        for (let index = 0; index < 20; index += 1) {
          const emittedAt = Date.now();
          await emitLead(suite.parley, other);
          await waitUntil(() => healthy.requests.length === index + 1, 'the healthy endpoint');
          const ms = healthy.requests[index]!.receivedAt - emittedAt;
          assert.ok(ms <= ISOLATED_MS, `${ms} ms`);
          await sleep(50);
        }
        await waitUntil(async () => (await suite.deliveries()).some((row) => row.status === status), status);
        const row = (await suite.deliveries()).find((each) => each.status === status);
        if (reason) assert.match(row?.reason ?? '', reason);
        assert.ok((row?.responseBody?.length ?? 0) <= 4096);
        assert.ok(readPeakMegabytes(worker.pid) < 400, `${readPeakMegabytes(worker.pid)} MB`);
      });
    }
  });
});

/** Returns the peak memory of a process in MB; 0 if the system does not count it. */
function readPeakMegabytes(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
