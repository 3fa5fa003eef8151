import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GuardedProcess } from '../../scripts/launcher/guarded-process.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { startOnce } from '../../scripts/launcher/supervisor.ts';
import { resolveTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { TEST_FLAGS, TemporalService } from '../../scripts/launcher/temporal.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { addDocument, addText } from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  startParleyWithWorker,
  buildTemporalEnv,
  waitForTerminalState,
  loadTestBundle,
  useSuccessor,
  WorkerProcess,
} from '../support/worker.ts';
import { startWorker } from '../../worker/start-worker.ts';
import { fillLog, endpointExists, countRemainingDeliveries } from '../webhooks/endpoint-logs.ts';
import { HeldLock } from '../webhooks/fault-support.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createEndpoint, emitLead, NOT_MAILED, UNREACHABLE_URL } from '../webhooks/support.ts';

const LOGGED = 20_000;

describe('while Temporal is unavailable,', () => {
  let temporal: GuardedProcess | undefined;

  after(() => temporal?.stop());

  it('documents and webhook retries wait, events continue, and everything is done once when Temporal is available again', async () => {
    const [port = 0, httpPort = 0] = await findFreePorts(2);
    const parley = await startParleyWithWorker({
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      webhookRetrySchedule: '1',
    });
    const receiver = await startReceiver((response, _request, count) =>
      response.writeHead(count === 1 ? 503 : 200).end(),
    );
    try {
      const org = await parley.buildOrg();
      const botId = await buildBot(org);
      const documentId = await addText(parley, org, botId);
      await createEndpoint(org, receiver.url, { events: ['lead.captured'] });
      for (let index = 0; index < 3; index += 1) {
        await emitLead(parley, org);
        await waitUntil(() => receiver.requests.length === index + 1, 'the first attempt');
      }
      const statuses = async () =>
        (await parley.database.repository(WebhookDelivery).find()).map(({ status }) => status).sort();
      await waitUntil(async () => !(await statuses()).includes('pending'), 'the results');
      const commands = () => parley.database.repository(OutboxRow).findBy({ kind: 'command', ...NOT_MAILED });
      await waitUntil(
        async () => (await commands()).every(({ lastError }) => lastError !== null),
        'the failures to be noted',
      );
      assert.equal((await commands()).length, 2);
      assert.ok((await commands()).every(({ dueAt }) => dueAt.getTime() < Date.now() + 11_000));
      assert.deepEqual(await statuses(), ['delivered', 'delivered', 'retrying']);
      const binary = await resolveTemporalBinary({ env: process.env, report: () => {} });
      const folder = makeTemporaryFolder();
      temporal = await startOnce(
        new TemporalService({ binary, folder, port, httpPort, extraArgs: TEST_FLAGS }),
      );
      const document = await waitForTerminalState(parley, documentId);
      assert.equal(document.status, 'indexed', document.errorMessage ?? '');
      await waitUntil(async () => new Set(await statuses()).size === 1, 'the retry');
      assert.deepEqual(await statuses(), ['delivered', 'delivered', 'delivered']);
      assert.equal(receiver.requests.length, 4);
      await waitUntil(async () => (await commands()).length === 0, 'the commands');
    } finally {
      await receiver.close();
      await parley.stop();
    }
  });
});

describe('a worker that ends', () => {
  let parley: TestParley;

  before(async () => {
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000' });
  });

  after(() => parley.stop());

  const followedByAnother = useSuccessor(() => parley);

  it('by kill -9 during an ingestion and the deletion of a long log leaves both tasks to the next worker', async () => {
    let requests = 0;
    const site = createServer((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(404).end();
      requests += 1;
      // Leave the first worker's request without a response.
      if (requests > 1) response.setHeader('content-type', 'text/plain').end('Bees make honey.');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const org = await parley.buildOrg();
    const botId = await buildBot(org);
    const scope = { orgId: org.orgId, db: parley.database };
    const worker = new WorkerProcess(parley.runtime.settings);
    const { id } = await addDocument(parley.runtime.services.knowledge.documentIntake, scope, botId, {
      source_type: 'url',
      url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    });
    await waitUntil(() => requests === 1, 'the page to be asked for');
    const { id: webhookId } = await createEndpoint(org, UNREACHABLE_URL);
    await fillLog(parley, org.orgId, webhookId, LOGGED);
    const kept = 'SELECT FROM webhook_deliveries WHERE webhook_id = $1 LIMIT 1 FOR UPDATE';
    const lock = await HeldLock.of(parley, kept, [webhookId]);
    await org.client.delete(`/api/webhooks/${webhookId}`);
    await waitUntil(
      async () => (await countRemainingDeliveries(parley, webhookId)) < LOGGED,
      'the removal to begin',
    );
    await worker.end('SIGKILL');
    await lock.releaseAfterEndingWaiters();
    assert.ok((await countRemainingDeliveries(parley, webhookId)) > 0);
    await followedByAnother();
    await waitUntil(async () => !(await endpointExists(parley, webhookId)), 'the endpoint to be removed');
    const document = await waitForTerminalState(parley, id);
    assert.equal(document.status, 'indexed', document.errorMessage ?? '');
    assert.equal(requests, 2);
    site.closeAllConnections();
    site.close();
  });

  it('by a stop ends within its grace period, and the next worker completes its work', async () => {
    const org = await parley.buildOrg();
    const botId = await buildBot(org);
    const ids = await Promise.all(Array.from({ length: 5 }, () => addText(parley, org, botId)));
    const { runtime } = await parley.startAnother({ shutdownGraceMs: 3000 });
    const first = await startWorker(runtime, loadTestBundle());
    await waitForTerminalState(parley, ids[0]!);
    const startedAt = performance.now();
    await first.stop();
    assert.ok(performance.now() - startedAt < 20_000);
    await followedByAnother();
    for (const id of ids) assert.equal((await waitForTerminalState(parley, id)).status, 'indexed');
  });
});
