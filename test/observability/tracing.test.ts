import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Worker } from '@temporalio/worker';
import { newId } from '../../core/ids.ts';
import { findFreePorts } from '../../scripts/launcher/ports.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { openTelemetry } from '../support/open-telemetry.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../support/otlp-receiver.ts';
import { startParley } from '../support/parley.ts';
import { recordLog } from '../support/recorded-log.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildReplayOptions, startParleyWithWorker, waitForTerminalState } from '../support/worker.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const SERVER = 2;
const CLIENT = 3;

const newTraceparent = () => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
const raw = { title: 'Opening hours', source_type: 'raw_text', raw_text: 'We are open from nine to five.' };

describe('one trace', () => {
  let receiver: OtlpReceiver;
  before(async () => {
    receiver = await startOtlpReceiver();
  });
  after(() => receiver.close());

  const waitForSpans = (...names: string[]) =>
    waitUntil(
      () => names.every((name) => receiver.spans.some((span) => span.name === name)),
      `the spans ${names.join(', ')}`,
    );

  it('contains a request and everything that it causes, down to the last activity and webhook', async () => {
    const hooks = await startReceiver();
    const recorded = recordLog();
    const parley = await startParleyWithWorker(
      {},
      { log: recorded.log, tracing: openTelemetry(receiver.url, recorded.log) },
    );
    const org = await parley.buildOrg();
    await org.client.post('/api/webhooks', { url: hooks.url, events: ['document.indexed'] });
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    const traceparent = newTraceparent();
    const [, traceId, callersSpan] = traceparent.split('-');
    const response = await org.client.post(`/api/bots/${bot.id}/knowledge`, raw, { traceparent });
    assert.equal(response.status, 201);
    await waitForTerminalState(parley, response.body.id);
    await waitUntil(() => hooks.requests.length === 1, 'the webhook');
    const handle = parley.temporal.workflow.getHandle(`ingest/${response.body.id}/1`);
    await handle.result();
    const history = await handle.fetchHistory();
    await parley.worker.stop();
    await waitForSpans(
      'POST /api/bots/{bot_id}/knowledge',
      'relay ingestDocument',
      'RunWorkflow:ingestDocument',
      'RunActivity:beginOrIndex',
      'relay document.indexed',
      'deliver document.indexed',
    );
    await parley.stop();
    await hooks.close();

    const spans = receiver.spans.filter((span) => span.traceId === traceId);
    const assertChild = (name: string, parent: string) => {
      const span = spans.find((each) => each.name === name) ?? assert.fail(`no span ${name}`);
      assert.equal(spans.find(({ spanId }) => spanId === span.parentSpanId)?.name, parent, name);
      return span;
    };
    const request = receiver.findSpan('POST /api/bots/{bot_id}/knowledge');
    assert.equal(request.parentSpanId, callersSpan);
    assert.equal(request.kind, SERVER);
    const { 'parley.principal': principal, ...attributes } = request.attributes;
    assert.match(String(principal), /^key:/);
    assert.deepEqual(attributes, {
      'http.request.method': 'POST',
      'http.route': '/api/bots/{bot_id}/knowledge',
      'http.response.status_code': 201,
      'url.scheme': 'http',
      'url.path': `/api/bots/${bot.id}/knowledge`,
      'client.address': '127.0.0.1',
      'network.protocol.version': '1.1',
      'parley.operation': 'createDocument',
      'parley.request_id': response.headers.get('x-request-id'),
      'parley.org_id': org.orgId,
    });
    assertChild('relay ingestDocument', request.name);
    assertChild('StartWorkflow:ingestDocument', 'relay ingestDocument');
    const run = assertChild('RunWorkflow:ingestDocument', 'StartWorkflow:ingestDocument');
    const attributeNames = ['attempt', 'runId', 'taskQueue', 'workflowId', 'workflowType'];
    assert.deepEqual(Object.keys(run.attributes).toSorted(), attributeNames);
    assertChild('StartActivity:beginOrIndex', 'RunWorkflow:ingestDocument');
    assertChild('RunActivity:beginOrIndex', 'StartActivity:beginOrIndex');
    assertChild('relay document.indexed', 'RunActivity:beginOrIndex');
    const delivery = assertChild('deliver document.indexed', 'relay document.indexed');
    assert.equal(delivery.kind, CLIENT);
    assert.equal(delivery.attributes['http.response.status_code'], 200);
    assert.ok(spans.every(({ isError, service }) => !isError && service === 'parley-test'));

    assert.equal(hooks.requests[0]?.headers['traceparent'], undefined, 'receivers are strangers');
    const line = recorded.entries().find((entry) => entry['operation'] === 'createDocument');
    assert.equal(line?.['traceId'], traceId);

    for (const isTraced of [false, true])
      await Worker.runReplayHistory(buildReplayOptions(isTraced), history);
  });

  it('is started for a request without a valid traceparent, and records errors but no content', async () => {
    const recorded = recordLog();
    const parley = await startParley(
      {},
      { log: recorded.log, tracing: openTelemetry(receiver.url, recorded.log) },
    );
    const org = await parley.buildOrg();
    const secret = `secret-${newId()}`;
    await org.client.get(`/nowhere/${secret}?token=${secret}`, { traceparent: `00-${secret}-01` });
    for (const path of [
      `/api/files/${secret}`,
      `/api/invitations/${secret}`,
      `/api/ext/bots/${newId()}/documents/${secret}`,
    ])
      await org.client.get(path);
    await parley.database.sql('ALTER TABLE bots RENAME TO robots');
    assert.equal((await org.client.get(`/api/bots?q=${secret}`)).status, 500);
    await waitForSpans('GET', 'GET /api/bots', 'GET /api/files/{token}');
    await parley.stop();

    const unknown = receiver.findSpan('GET');
    assert.equal(unknown.parentSpanId, '');
    assert.equal(unknown.attributes['http.response.status_code'], 404);
    assert.equal(unknown.isError, false);
    const file = receiver.findSpan('GET /api/files/{token}');
    assert.equal(file.attributes['url.path'], '/api/files/{token}');
    const failed = receiver.findSpan('GET /api/bots');
    assert.equal(failed.isError, true);
    assert.equal(failed.attributes['error.type'], '500');
    assert.equal(failed.attributes['parley.error_code'], 'internal_error');
    assert.ok(!JSON.stringify(receiver.spans).includes(secret));
    assert.ok(!JSON.stringify(receiver.spans).includes(org.key));
  });
});

describe('an unreachable receiver of traces', () => {
  it('delays no request, is reported to operators, and does not delay the shutdown', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const [closedPort] = await findFreePorts(1);
    for (const port of [closedPort, (silent.address() as AddressInfo).port]) {
      const recorded = recordLog();
      const tracing = openTelemetry(`http://127.0.0.1:${port}`, recorded.log);
      const parley = await startParley({}, { log: recorded.log, tracing });
      const { client } = await parley.buildOrg();
      for (let i = 0; i < 20; i += 1) assert.equal((await client.get('/api/bots')).status, 200);
      const startedAt = performance.now();
      await parley.stop();
      assert.ok(performance.now() - startedAt < 20_000);
      const isTold = recorded.entries().some(({ msg }) => msg === 'cannot export traces');
      assert.equal(isTold, port === closedPort);
    }
    silent.close();
  });
});

describe('without the settings of traces and metrics,', () => {
  itInSoak('the API and the worker load no module of OpenTelemetry and Prometheus', async () => {
    const script = `
      const { createRequire } = await import('node:module');
      await import('./dist/api/start-api.js');
      await import('./dist/worker/start-worker.js');
      const { openTracing } = await import('./dist/adapters/telemetry/open-tracing.js');
      if ((await openTracing({}, 'parley-api', null)) !== undefined) throw new Error('there are traces');
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      if (!loaded.some((file) => file.includes('/node_modules/koa/'))) throw new Error('nothing is seen');
      console.log(loaded.filter((file) => /opentelemetry|prom-client/.test(file)).join());`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    assert.equal(stdout, '\n');
  });
});
