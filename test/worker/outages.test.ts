import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GuardedProcess } from '../../scripts/launcher/guarded-process.ts';
import { freePorts } from '../../scripts/launcher/ports.ts';
import { startOnce } from '../../scripts/launcher/supervisor.ts';
import { resolveTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { quickTimers, TemporalService } from '../../scripts/launcher/temporal.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { addDocument } from '../support/knowledge.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import {
  buildBot,
  startParleyWithWorker,
  temporalEnv,
  terminal,
  testBundle,
  WorkerProcess,
} from '../support/worker.ts';
import { startWorker, type RunningWorker } from '../../worker/start-worker.ts';

async function addText(parley: TestParley, org: TestOrg, botId: string): Promise<string> {
  const { documentIntake } = parley.runtime.services;
  const document = await addDocument(documentIntake, { orgId: org.orgId, db: parley.database }, botId, {
    source_type: 'raw_text',
    raw_text: 'Bees make honey.',
  });
  return document.id;
}

describe('while Temporal is away', () => {
  let temporal: GuardedProcess | undefined;

  after(() => temporal?.stop());

  it('a document waits, events go on, and it is indexed when Temporal is there', async () => {
    const [port = 0, httpPort = 0] = await freePorts(2);
    const parley = await startParleyWithWorker({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
    try {
      const org = await parley.buildOrg();
      const botId = await buildBot(org);
      const documentId = await addText(parley, org, botId);
      const command = () => parley.database.repository(OutboxRow).findOneByOrFail({ kind: 'command' });
      await until(async () => (await command()).lastError !== null, 'the failure to be noted');
      assert.ok((await command()).dueAt.getTime() < Date.now() + 11_000);
      const binary = await resolveTemporalBinary({ env: process.env, say: () => {} });
      const folder = makeTemporaryFolder();
      temporal = await startOnce(
        new TemporalService({ binary, folder, port, httpPort, extraArgs: quickTimers }),
      );
      const document = await terminal(parley, documentId);
      assert.equal(document.status, 'indexed', document.errorMessage ?? '');
    } finally {
      await parley.stop();
    }
  });
});

describe('a worker that is killed', () => {
  let parley: TestParley;
  let successor: RunningWorker | undefined;

  before(async () => {
    parley = await startParley({ ...temporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000' });
  });

  afterEach(async () => {
    await successor?.stop();
    successor = undefined;
  });

  after(() => parley.stop());

  /** The next worker: nobody kills it, so it can be in this process, at a fifth of the cost. */
  async function followedByAnother(): Promise<void> {
    successor = await startWorker(parley.runtime, testBundle());
  }

  it('in the middle of an ingestion leaves it to the next one', async () => {
    let requests = 0;
    const site = createServer((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(404).end();
      requests += 1;
      // The first worker never gets its answer.
      if (requests > 1) response.setHeader('content-type', 'text/plain').end('Bees make honey.');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const org = await parley.buildOrg();
    const botId = await buildBot(org);
    const scope = { orgId: org.orgId, db: parley.database };
    const worker = new WorkerProcess(parley.runtime.settings);
    const { id } = await addDocument(parley.runtime.services.documentIntake, scope, botId, {
      source_type: 'url',
      url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    });
    await until(() => requests === 1, 'the page to be asked for');
    await worker.end('SIGKILL');
    await followedByAnother();
    const document = await terminal(parley, id);
    assert.equal(document.status, 'indexed', document.errorMessage ?? '');
    assert.equal(requests, 2);
    site.closeAllConnections();
    site.close();
  });

  it('ends within its grace on SIGTERM, and its work is done by the next one', async () => {
    const org = await parley.buildOrg();
    const botId = await buildBot(org);
    const ids = await Promise.all(Array.from({ length: 5 }, () => addText(parley, org, botId)));
    const first = new WorkerProcess(parley.runtime.settings, { PARLEY_SHUTDOWN_GRACE_MS: '3000' });
    await terminal(parley, ids[0]!);
    const startedAt = performance.now();
    assert.equal(await first.end('SIGTERM'), 0, first.log);
    assert.ok(performance.now() - startedAt < 20_000);
    await followedByAnother();
    for (const id of ids) assert.equal((await terminal(parley, id)).status, 'indexed');
  });
});
