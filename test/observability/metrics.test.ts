import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { isContentSpec } from '../../api/http/operation.ts';
import { EVENT_STREAM } from '../../api/http/response/event-stream.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { findMisnamedMetrics, scrape, type Exposition } from '../support/exposition.ts';
import {
  ALERT_RULES,
  findUnmatchedSelectors,
  listComparedValues,
  readAlertRules,
  readDashboard,
} from '../support/monitoring.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { findComplaints, itWithPromtool } from '../support/promtool.ts';
import { listSourceFiles } from '../support/source-files.ts';
import { sendRaw } from '../support/raw-http.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { startParleyWithWorker, waitForTerminalState, type TestParleyWithWorker } from '../support/worker.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { emitLead } from '../webhooks/support.ts';

const DURATION = 'parley_http_request_duration_seconds';

describe('the metrics of the API', () => {
  let parley: TestParley;
  let org: TestOrg;
  let port: number;
  before(async () => {
    [port = 0] = await findFreePorts(1);
    parley = await startParley({
      PARLEY_METRICS_PORT: String(port),
      PARLEY_RATE_LIMIT_PER_MINUTE: '20',
      principalRateLimitPerMinute: 20,
    });
    org = await parley.buildOrg();
  });
  after(() => parley.stop());

  const readRequestCount = async (operation: string, method: string, status: string) =>
    (await scrape(port)).value(`${DURATION}_count`, { operation, method, status }) ?? 0;

  it('count requests by operation, method and class of status', async () => {
    for (let i = 0; i < 3; i += 1) await org.client.get(`/api/bots/${newId()}`);
    await org.client.post('/api/bots', { name: 'Guide' });
    await waitUntil(
      async () => (await readRequestCount('createBot', 'POST', '2xx')) === 1,
      'the requests to be counted',
    );
    await waitUntil(
      async () => (await readRequestCount('getBot', 'GET', '4xx')) === 3,
      'those before to be counted',
    );
    const metrics = await scrape(port);
    assert.equal(metrics.types.get(DURATION), 'histogram');
    const labels = { operation: 'getBot', method: 'GET', status: '4xx' };
    assert.equal(metrics.value(`${DURATION}_bucket`, { ...labels, le: '+Inf' }), 3);
    assert.equal(metrics.value(`${DURATION}_bucket`, { ...labels, le: '60' }), 3);
    assert.ok((metrics.value(`${DURATION}_sum`, labels) ?? 0) > 0);
  });

  it('have only labels from bounded sets, for any request', async () => {
    for (let i = 0; i < 5; i += 1) await parley.client().get(`/nowhere/${newId()}`);
    await parley.client().fetch('/api/bots', { method: 'PROPFIND' });
    await sendRaw(parley.baseUrl, { parts: ['nonsense\r\n\r\n'] });
    await waitUntil(
      async () => (await readRequestCount('none', 'none', '4xx')) === 1,
      'the request to be counted',
    );
    await waitUntil(
      async () => (await readRequestCount('none', 'GET', '4xx')) === 5,
      'those before to be counted',
    );
    const known = new Set([...operations.map(({ id }) => id), 'none']);
    for (const { name, labels } of (await scrape(port)).samples.filter(({ name }) =>
      name.startsWith('parley_'),
    )) {
      assert.ok(known.has(labels['operation'] ?? 'none'), `${name} ${labels['operation']}`);
      assert.ok([...METHODS, 'none'].includes(labels['method'] ?? 'none'));
      assert.match(labels['status'] ?? 'none', /^([1-5]xx|none)$/);
    }
  });

  it('count requests that rate limits refused', async () => {
    const limited = await parley.buildOrg();
    await Promise.all(Array.from({ length: 23 }, () => limited.client.get('/api/bots')));
    const refusals = async () =>
      (await scrape(port)).value('parley_rate_limit_refusals_total', {
        operation: 'listBots',
        caller: 'key',
      });
    await waitUntil(async () => (await refusals()) === 3, 'three refusals');
  });

  it('count requests in progress, even if their caller disconnects', async () => {
    const inFlight = async () => (await scrape(port)).value('parley_http_requests_in_flight');
    const { hostname, port: apiPort } = new URL(parley.baseUrl);
    const socket = connect(Number(apiPort), hostname);
    const head = [
      'POST /api/bots HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${org.key}`,
      'Content-Length: 9',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n{`);
    await waitUntil(async () => (await inFlight()) === 1, 'the request to be under way');
    socket.resetAndDestroy();
    await waitUntil(async () => (await inFlight()) === 0, 'it to be over');
    await waitUntil(
      async () => (await readRequestCount('createBot', 'POST', 'none')) === 1,
      'it to be counted',
    );
  });

  it('measure connections, the event loop and the process', async () => {
    const metrics = await scrape(port);
    const idle = metrics.value('parley_database_connections', { state: 'idle' }) ?? 0;
    const busy = metrics.value('parley_database_connections', { state: 'busy' }) ?? 0;
    assert.ok(idle > 0 && idle + busy <= 8, `${idle} idle, ${busy} busy`);
    assert.equal(metrics.value('parley_database_waiting'), 0);
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ])
      assert.ok((metrics.value(name) ?? -1) >= 0, name);
  });

  it('are served only on their own port, which serves nothing else', async () => {
    assert.equal((await parley.client().fetch('/metrics')).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${port}/api/bots`)).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status, 404);
    const head = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });
});

describe('the metrics of the API and the worker after some work', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let receiver: Receiver;
  let ports: { api: number; worker: number };
  before(async () => {
    const [api = 0, worker = 0] = await findFreePorts(2);
    ports = { api, worker };
    receiver = await startReceiver((response, _request, count) => {
      response.statusCode = count === 1 ? 503 : 200;
      response.end();
    });
    parley = await startParleyWithWorker({
      PARLEY_METRICS_PORT: String(api),
      PARLEY_WORKER_METRICS_PORT: String(worker),
      PARLEY_RATE_LIMIT_PER_MINUTE: '20',
      webhookRetrySchedule: '1',
    });
    org = await parley.buildOrg();
    const { status } = await org.client.post('/api/webhooks', {
      url: receiver.url,
      events: ['lead.captured'],
    });
    assert.equal(status, 201);
    await emitLead(parley, org);
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    const { body: document } = await org.client.post(`/api/bots/${bot.id}/knowledge`, {
      title: 'Opening hours',
      source_type: 'raw_text',
      raw_text: 'We are open from nine to five.',
    });
    await waitForTerminalState(parley, document.id);
    await waitUntil(() => receiver.requests.length === 2, 'the second attempt');
    await waitUntilEqual(async () => countAttempts(await scrape(worker), 'delivered'), 1);
    const limited = await parley.buildOrg();
    await Promise.all(Array.from({ length: 21 }, () => limited.client.get('/api/bots')));
    for (const kind of ['event', 'command'])
      await waitUntilEqual(() => readWorkerMetric('parley_outbox_rows', { kind, state: 'pending' }), 0);
    await waitUntilEqual(() => readWorkerMetric('parley_mail_attempts_total', { state: 'kept' }), 1);
  });
  after(async () => {
    await parley?.stop();
    await receiver?.close();
  });

  const countAttempts = (metrics: Exposition, outcome: string) =>
    metrics.value('parley_webhook_attempt_duration_seconds_count', { outcome });
  const readWorkerMetric = async (name: string, labels?: Record<string, string>) =>
    (await scrape(ports.worker)).value(name, labels);

  it('measure deliveries, activities and queues', async () => {
    const labels = { activity: 'beginOrIndex', outcome: 'done' };
    // Accept several runs: on a slow machine, the activity may exceed its time, so that it runs again.
    await waitUntil(
      async () => ((await readWorkerMetric('parley_activity_duration_seconds_count', labels)) ?? 0) >= 1,
      'the activity to be counted',
    );
    const metrics = await scrape(ports.worker);
    assert.equal(countAttempts(metrics, 'transient'), 1);
    for (const kind of ['event', 'command']) {
      assert.equal(metrics.value('parley_outbox_rows', { kind, state: 'pending' }), 0);
      assert.equal(metrics.value('parley_outbox_rows', { kind, state: 'parked' }), 0);
      assert.equal(metrics.value('parley_outbox_oldest_seconds', { kind }), 0);
    }
    assert.equal(metrics.value('parley_webhook_deliveries_postponed_total'), 0);
  });

  for (const program of ['api', 'worker'] as const) {
    it(`have names that follow Prometheus’s conventions, in the ${program}`, async () => {
      assert.deepEqual(findMisnamedMetrics(await scrape(ports[program])), []);
    });

    itWithPromtool(`pass promtool, in the ${program}`, async () => {
      const response = await fetch(`http://127.0.0.1:${ports[program]}/metrics`);
      assert.equal(findComplaints(['check', 'metrics'], await response.text()), '');
    });
  }

  for (const [reader, expressions] of Object.entries({
    'the dashboard': readDashboard(),
    'the alert rules': readAlertRules(),
  }))
    it(`have each series and label that ${reader} reads`, async () => {
      const scraped = await Promise.all([scrape(ports.api), scrape(ports.worker)]);
      const samples = scraped.flatMap((exposition) => exposition.samples);
      assert.deepEqual(findUnmatchedSelectors(expressions, samples), []);
    });

  it('count deliveries that wait because the master key cannot decrypt their secret', async () => {
    await parley.database.sql(`UPDATE webhooks SET sealed_secret = 'v1.sealed-with-another-key'`);
    await emitLead(parley, org);
    await waitUntilEqual(() => readWorkerMetric('parley_webhook_deliveries_postponed_total'), 1);
  });

  it('are no longer served once the worker stops', async () => {
    await parley.worker.stop();
    await assert.rejects(fetch(`http://127.0.0.1:${ports.worker}/metrics`));
  });
});

describe('the alert rules and the dashboard', () => {
  itWithPromtool('pass promtool', () => {
    assert.equal(findComplaints(['check', 'rules', '--lint-fatal', ALERT_RULES]), '');
  });

  itWithPromtool('fire each alert after its failure, and no alert without a failure', () => {
    assert.equal(findComplaints(['test', 'rules', 'test/observability/alert-rules.yml']), '');
  });

  it('name operations and activities that exist', () => {
    const selectors = [...readDashboard(), ...readAlertRules()];
    const ids: ReadonlySet<string> = new Set([...operations.map(({ id }) => id), 'none']);
    assert.deepEqual(
      [...listComparedValues(selectors, 'operation')].filter((id) => !ids.has(id)),
      [],
    );
    const sources = listSourceFiles(['activities'], /\.activities\.ts$/).map((path) =>
      readFileSync(path, 'utf8'),
    );
    const activities = [...listComparedValues(selectors, 'activity')];
    assert.ok(activities.includes('beginOrIndex'));
    for (const activity of activities)
      assert.ok(
        sources.some((source) => source.includes(`\n    ${activity}: (`)),
        activity,
      );
  });

  it('exclude streams from the latency of requests, and nothing else', () => {
    const streams = operations.filter(
      ({ success: { spec } }) => isContentSpec(spec) && EVENT_STREAM in spec.content,
    );
    const expected = [...streams.map(({ id }) => id), 'none'].toSorted();
    const excluded = [...readDashboard(), ...readAlertRules()].flatMap(({ matchers }) =>
      matchers.filter(({ operator }) => operator === '!~').map(({ value }) => value.split('|').toSorted()),
    );
    assert.equal(excluded.length, 5);
    for (const each of excluded) assert.deepEqual(each, expected);
  });
});
