import assert from 'node:assert/strict';
import { diagnose } from '../../scripts/cli/doctor.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { startWorker, type RunningWorker } from '../../worker/start-worker.ts';
import { scrape } from '../support/exposition.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import {
  loadTestBundle,
  startParleyWithWorker,
  waitForTerminalState,
  type TestParleyWithWorker,
} from '../support/worker.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { emitLead } from '../webhooks/support.ts';

describe('workers with PARLEY_WORKER_QUEUES', () => {
  let parley: TestParleyWithWorker;
  let receiver: Receiver;
  let org: TestOrg;
  let port: number;
  const started: RunningWorker[] = [];
  before(async () => {
    [port = 0] = await findFreePorts(1);
    receiver = await startReceiver();
    parley = await startParleyWithWorker({
      PARLEY_WORKER_QUEUES: 'default, outbox',
      PARLEY_WORKER_METRICS_PORT: String(port),
    });
    org = await parley.buildOrg();
  });
  after(async () => {
    for (const worker of started) await worker.stop();
    await parley.stop();
    await receiver.close();
  });

  async function startAnotherWorker(workerQueues: string): Promise<void> {
    const { runtime } = await parley.startAnother({ workerQueues, workerMetricsPort: undefined });
    started.push(await startWorker(runtime, loadTestBundle()));
  }

  async function listUnserved(): Promise<string[]> {
    const { status, body } = await parley.client().get('/api/health/ready');
    assert.equal(status, 200);
    return Object.keys(body.checks).filter((part) => body.checks[part] === 'unavailable');
  }

  async function readDiagnosis(): Promise<string[]> {
    const lines: string[] = [];
    await diagnose(parley.runtime.settings, (line) => lines.push(line), ['worker']);
    return lines;
  }

  const countWaiting = async (queue: string) => (await scrape(port)).value('parley_queue_backlog', { queue });

  it('leave all other work to other workers, which getReadiness and the metrics name', async () => {
    await org.client.post('/api/webhooks', { url: receiver.url, events: ['lead.captured'] });
    await emitLead(parley, org);
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    const { body: document } = await org.client.post(`/api/bots/${bot.id}/knowledge`, {
      title: 'Opening hours',
      source_type: 'raw_text',
      raw_text: 'We are open from nine to five. '.repeat(10_000),
    });
    assert.deepEqual(await listUnserved(), [
      'workers: ingestion',
      'workers: embeddings',
      'workers: models',
      'workers: webhooks',
      'workers: dispatcher',
      'workers: mail',
      'workers: alerts',
      'workers: calendar',
      'workers: billing',
      'workers: archives',
    ]);
    await waitUntilEqual(() => countWaiting('ingestion'), 1);
    await waitUntilEqual(() => countWaiting('dispatcher'), 1);
    assert.equal((await scrape(port)).value('parley_queue_backlog', { queue: 'calendar' }), 0);
    assert.equal(receiver.requests.length, 0);

    await startAnotherWorker('ingestion');
    assert.equal((await waitForTerminalState(parley, document.id)).status, 'indexed');
    await waitUntilEqual(() => countWaiting('ingestion'), 0);
    assert.equal(receiver.requests.length, 0);

    await startAnotherWorker('dispatcher,webhooks');
    await waitUntil(() => receiver.requests.length === 1, 'the delivery');
    await startAnotherWorker('models,mail,alerts,calendar,billing,archives');
    await waitUntilEqual(listUnserved, ['workers: embeddings']);
    await waitUntilEqual(readDiagnosis, [
      '✗ Worker: no worker serves embeddings, so this work waits. Start a worker without PARLEY_WORKER_QUEUES, or add these names to the PARLEY_WORKER_QUEUES of a worker.',
    ]);
    await startAnotherWorker('embeddings');
    await waitUntilEqual(readDiagnosis, ['✓ Worker: every queue has a worker']);
  });
});
