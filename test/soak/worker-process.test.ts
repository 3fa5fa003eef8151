import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';
import { DatabaseLink } from '../support/database-link.ts';
import { scrape } from '../support/exposition.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../support/otlp-receiver.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildTemporalEnv, WorkerProcess } from '../support/worker.ts';

describe('the worker process', () => {
  let parley: TestParley;
  let link: DatabaseLink;
  let temporalLink: DatabaseLink;
  let worker: WorkerProcess;
  let ports: number[];
  let receiver: OtlpReceiver;
  before(async () => {
    ports = await findFreePorts(2);
    receiver = await startOtlpReceiver();
    parley = await startParley(buildTemporalEnv());
    link = new DatabaseLink(parley.runtime.settings.databaseUrl!);
    temporalLink = new DatabaseLink(`http://${parley.runtime.settings.temporalAddress}`);
    await Promise.all([link.connect(), temporalLink.connect()]);
    await temporalLink.cut();
    worker = new WorkerProcess(parley.runtime.settings, {
      DATABASE_URL: link.url,
      TEMPORAL_ADDRESS: new URL(temporalLink.url).host,
      PARLEY_WORKER_METRICS_PORT: String(ports[0]),
      PARLEY_TEMPORAL_METRICS_PORT: String(ports[1]),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    });
    await worker.waitForLog('metrics server is listening');
  });
  after(async () => {
    await worker.end('SIGKILL');
    await receiver.close();
    await Promise.all([link.cut(), temporalLink.cut()]);
    await parley.stop();
  });

  it('exports how many items wait for Temporal, and for how long', async () => {
    const startedAt = performance.now();
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    const knowledge = { title: 'Hours', source_type: 'raw_text', raw_text: 'From nine to five.' };
    for (let i = 0; i < 2; i += 1) await org.client.post(`/api/bots/${bot.id}/knowledge`, knowledge);
    const labels = { kind: 'command' };
    const metrics = await scrape(ports[0]!);
    const mostSeconds = (performance.now() - startedAt) / 1000;
    assert.equal(metrics.value('parley_outbox_rows', { ...labels, state: 'pending' }), 2);
    const age = metrics.value('parley_outbox_oldest_seconds', labels) ?? 0;
    assert.ok(age > 0 && age <= mostSeconds, `${age} s after ${mostSeconds} s`);
  });

  it('exports its other metrics without the database', async () => {
    await link.cut();
    const metrics = await scrape(ports[0]!);
    assert.ok((metrics.value('process_resident_memory_bytes') ?? 0) > 0);
    assert.deepEqual(
      metrics.samples.filter(({ name }) => name.startsWith('parley_outbox')),
      [],
    );
    await link.connect();
    await waitUntil(
      async () =>
        (await scrape(ports[0]!)).value('parley_outbox_rows', { kind: 'event', state: 'pending' }) === 0,
      'the database to be back',
    );
  });

  it('exports the metrics of Temporal’s SDK with its own metrics', async () => {
    await temporalLink.connect();
    const isTold = async () => {
      const response = await fetch(`http://127.0.0.1:${ports[1]}/metrics`).catch(() => undefined);
      return /^# TYPE temporal_/m.test((await response?.text()) ?? '');
    };
    await waitUntil(isTold, 'the metrics of Temporal’s SDK');
  });

  it('exports the number of pollers: three for the core task queue, and two for each other queue', async () => {
    const asking = async (): Promise<Record<string, number>> => {
      const { samples } = await scrape(ports[1]!);
      const ofActivities = samples.filter(
        ({ name, labels }) => name === 'temporal_num_pollers' && labels['poller_type'] === 'activity_task',
      );
      return Object.fromEntries(ofActivities.map(({ labels, value }) => [labels['task_queue'], value]));
    };
    let polls = {};
    const { core, ...others } = nameTaskQueues(parley.runtime.settings.temporalTaskQueue);
    const expected = {
      [core]: 3,
      ...Object.fromEntries(Object.values(others).map((queue) => [queue, 2])),
    };
    const isAsExpected = async () => isDeepStrictEqual((polls = await asking()), expected);
    await waitUntil(isAsExpected, 'its pollers').catch(() => assert.deepEqual(polls, expected));
  });

  it('sends its spans in protobuf, the last of them while it stops', async () => {
    const { client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'Guide' });
    const raw = { title: 'Hours', source_type: 'raw_text', raw_text: 'From nine to five.' };
    await client.post(`/api/bots/${bot.id}/knowledge`, raw);
    const waiting = () => parley.database.sql("SELECT FROM documents WHERE status <> 'indexed'");
    await waitUntil(async () => (await waiting()).length === 0, 'all documents to be indexed');
    assert.equal(await worker.end('SIGTERM'), 0);
    assert.deepEqual([...receiver.contentTypes], ['application/x-protobuf']);
    const filterSpans = (name: string) => receiver.spans.filter((span) => span.name === name);
    const runs = filterSpans('RunActivity:beginOrIndex');
    const relays = filterSpans('relay ingestDocument');
    // Compare traces instead of counting spans: a slow attempt is repeated, and so is an attempt without Temporal.
    const collectTraceIds = (spans: typeof runs) => new Set(spans.map(({ traceId }) => traceId));
    assert.equal(collectTraceIds(runs).size, 3);
    assert.ok(runs.every(({ traceId }) => collectTraceIds(relays).has(traceId)));
    assert.ok(runs.every(({ service }) => service === 'parley-worker'));
    assert.ok(relays.every(({ parentSpanId }) => parentSpanId === ''));
  });
});
