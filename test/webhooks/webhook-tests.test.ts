import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { newId } from '../../core/ids.ts';
import { verifyWebhook } from '../../sdk/typescript/src/index.ts';
import { eventCatalog, eventNames } from '../../services/webhooks/event-catalog.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { ReceivedRequest } from './receiver.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint } from './support.ts';

const ajv = addFormats.default(new Ajv2020());
/** Timeout in milliseconds of a test request to a webhook endpoint that a dispatcher sends. */
const PATIENT_MS = 120_000;
/** Timeout in milliseconds of a test request to a webhook endpoint while no dispatcher runs. */
const SHORT_MS = 1000;

describe('testWebhook', () => {
  const suite = useWebhooks({ webhookTimeoutMs: PATIENT_MS });

  const testEndpoint = (id: string, headers: Record<string, string> = {}) =>
    suite.org.client.post(`/api/webhooks/${id}/test`, undefined, headers);
  const findLogged = async (id: string) =>
    (await suite.org.client.get(`/api/webhooks/deliveries?id=${id}`)).body.items[0]!;

  /** Sends a test to a webhook endpoint at the URL while a dispatcher runs. */
  async function testAt(url: string, overrides: Parameters<typeof suite.dispatcher>[0] = {}) {
    const { id } = await createEndpoint(suite.org, 'http://127.0.0.1:9/');
    await suite.parley.database.sql('UPDATE webhooks SET url = $2 WHERE id = $1', [id, url]);
    suite.dispatcher(overrides);
    const { status, body } = await testEndpoint(id);
    assert.equal(status, 200);
    return { webhookId: id, ...body };
  }

  it('sends a sample and returns its delivery', async () => {
    const { url, requests } = await suite.receiver();
    const { webhookId, delivery_id: id, duration_ms: durationMs, ...rest } = await testAt(url);
    assert.deepEqual(rest, { ok: true, status_code: 200, error: null });
    assert.ok(durationMs >= 0 && durationMs < PATIENT_MS);
    assert.equal(requests.length, 1);
    assert.equal(requests[0]!.headers['x-webhook-delivery'], id);
    assert.equal(JSON.parse(requests[0]!.body).data.test, true);
    const { status, attempts, event } = await findLogged(id);
    assert.deepEqual([status, attempts, event], ['delivered', 1, 'conversation.started']);
    assert.equal((await suite.endpoint(webhookId)).deliveryCount, 1);
  });

  for (const event of selectCases(eventNames, 1)) {
    it(`sends a sample of ${event} to a subscriber, which matches the schema`, async () => {
      const { url, requests } = await suite.receiver();
      const { id } = await createEndpoint(suite.org, url, { events: [event] });
      suite.dispatcher();
      assert.equal((await testEndpoint(id)).body.ok, true);
      const [{ body, headers } = assert.fail()] = requests as ReceivedRequest[];
      assert.equal(headers['x-webhook-event'], event);
      const { schema } = eventCatalog.find(({ name }) => name === event)!;
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema)));
      assert.equal(validate(JSON.parse(body)), true, ajv.errorsText(validate.errors));
    });
  }

  for (const [answer, error, state] of [
    [503, 'http_503: The receiver responded with 503 Service Unavailable.', 'retrying'],
    [404, 'http_404: The receiver responded with 404 Not Found, which is not retried.', 'failed'],
    [
      301,
      'http_301: The receiver responded with 301 Moved Permanently; redirects are not followed.',
      'failed',
    ],
  ] as const) {
    it(`returns the error of the response ${answer}, after which the test is ${state} like any delivery`, async () => {
      const { url } = await suite.receiver((response) => response.writeHead(answer).end('no'));
      const { webhookId, delivery_id: id, ok, status_code: statusCode, error: told } = await testAt(url);
      assert.deepEqual([ok, statusCode, told], [false, answer, error]);
      const { status, attempts, reason, response_body: body, next_attempt_at: next } = await findLogged(id);
      assert.deepEqual(
        [status, attempts, reason, body, next !== null],
        [state, 1, error, 'no', state === 'retrying'],
      );
      const { failureCount, consecutiveFailures } = await suite.endpoint(webhookId);
      assert.deepEqual([failureCount, consecutiveFailures], [1, 1]);
    });
  }

  it('returns the error timeout if the endpoint does not respond in time', async () => {
    const { url } = await suite.receiver(() => {});
    const { ok, status_code: statusCode, error } = await testAt(url, { webhookTimeoutMs: 300 });
    assert.deepEqual(
      [ok, statusCode, error],
      [false, null, 'timeout: No complete response arrived within 0.3 s.'],
    );
  });

  it('returns the error tls for an invalid certificate', async () => {
    const port = await suite.servers.https('self-signed.pem', (_request, response) => response.end());
    const { error } = await testAt(`https://127.0.0.1:${port}/`);
    assert.match(error!, /^tls: The certificate of 127\.0\.0\.1 /);
  });

  it('returns the error dns_not_found for a host name that does not exist', async () => {
    const { error } = await testAt('https://nowhere.invalid/hook');
    assert.equal(error, 'dns_not_found: The name nowhere.invalid does not exist.');
  });

  it('returns the error url_refused for an address outside the public internet, and sends no request', async () => {
    const { url, requests } = await suite.receiver();
    const { ok, error } = await testAt(url, { outboundAllow: '' });
    assert.equal(ok, false);
    assert.match(error!, /^url_refused: 127\.0\.0\.1 is not a host on the public internet/);
    assert.equal(requests.length, 0);
  });

  it('returns 409 for a disabled endpoint', async () => {
    const { id } = await createEndpoint(suite.org, 'http://127.0.0.1:9/');
    await suite.org.client.patch(`/api/webhooks/${id}`, { is_active: false });
    const { status, body, problem } = await testEndpoint(id);
    assert.equal(formatOutcome({ status, body }), '409 conflict');
    assert.equal(
      problem.error.message,
      'The endpoint is disabled, and nothing is sent to it; activate it first.',
    );
    assert.deepEqual(await suite.deliveries(), []);
  });

  it('returns 403 for another workspace’s endpoint, and 404 for an unknown endpoint', async () => {
    const { id } = await createEndpoint(await suite.parley.buildOrg(), 'http://127.0.0.1:9/');
    assert.deepEqual([(await testEndpoint(id)).status, (await testEndpoint(newId())).status], [403, 404]);
  });

  it('runs once per idempotency key, and returns the same response', async () => {
    const { url, requests } = await suite.receiver();
    const { id } = await createEndpoint(suite.org, url);
    suite.dispatcher();
    const headers = { 'idempotency-key': `test-fire-${id}` };
    const [first, second] = [await testEndpoint(id, headers), await testEndpoint(id, headers)];
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.deepEqual(second.body, first.body);
    assert.equal(first.body.ok, true);
    assert.equal(requests.length, 1);
    assert.equal((await suite.deliveries()).length, 1);
  });

  it('runs many tests simultaneously, each with its own delivery', async () => {
    const { url, requests } = await suite.receiver();
    const { id } = await createEndpoint(suite.org, url);
    suite.dispatcher();
    const responses = await Promise.all(Array.from({ length: 5 }, () => testEndpoint(id)));
    assert.ok(responses.every(({ body }) => body.ok === true));
    assert.equal(new Set(responses.map(({ body }) => body.delivery_id)).size, 5);
    assert.equal(requests.length, 5);
  });
});

describe('triggerWebhookEvent', () => {
  const suite = useWebhooks({ webhookTimeoutMs: PATIENT_MS });

  const triggerEvent = (id: string, event: string) =>
    suite.org.client.post(`/api/ext/webhooks/${id}/trigger`, { event });

  it('sends a signed sample of the event, marked as a test', async () => {
    const { url, requests } = await suite.receiver();
    const { id, secret } = await createEndpoint(suite.org, url);
    suite.dispatcher();
    const { status, body } = await triggerEvent(id, 'lead.captured');
    assert.deepEqual([status, body.ok, body.status_code], [200, true, 200]);
    const [request = assert.fail()] = requests;
    assert.equal(request.headers['x-webhook-delivery'], body.delivery_id);
    const { event, data } = verifyWebhook(request.body, request.headers, secret);
    assert.deepEqual([event, data['test']], ['lead.captured', true]);
    const [logged = assert.fail()] = await suite.deliveries();
    assert.deepEqual([logged.event, logged.status], ['lead.captured', 'delivered']);
  });

  it('refuses an event that the endpoint does not get, and an unknown event', async () => {
    const { id } = await createEndpoint(suite.org, 'http://127.0.0.1:9/', { events: ['lead.captured'] });
    const { status, problem } = await triggerEvent(id, 'message.created');
    assert.equal(status, 422);
    assert.deepEqual(
      problem.details?.map(({ field, message }) => [field, message]),
      [['event', 'must be an event that the endpoint receives: lead.captured']],
    );
    assert.equal((await triggerEvent(id, 'lead.lost')).status, 422);
    assert.deepEqual(await suite.deliveries(), []);
  });

  it('returns 409 for a disabled endpoint, and 403 for another workspace’s endpoint', async () => {
    const { id } = await createEndpoint(suite.org, 'http://127.0.0.1:9/');
    await suite.org.client.patch(`/api/webhooks/${id}`, { is_active: false });
    assert.equal((await triggerEvent(id, 'lead.captured')).status, 409);
    const other = await createEndpoint(await suite.parley.buildOrg(), 'http://127.0.0.1:9/');
    assert.equal((await triggerEvent(other.id, 'lead.captured')).status, 403);
  });
});

describe('testWebhook without a worker', () => {
  const suite = useWebhooks({ webhookTimeoutMs: SHORT_MS });

  it('returns the error not_sent after the maximum time of an attempt', async () => {
    const { id } = await createEndpoint(suite.org, 'http://127.0.0.1:9/');
    const startedAt = performance.now();
    const { status, body } = await suite.org.client.post(`/api/webhooks/${id}/test`);
    const tookMs = performance.now() - startedAt;
    const { delivery_id: _id, ...rest } = body;
    assert.equal(status, 200);
    assert.deepEqual(rest, {
      ok: false,
      status_code: null,
      duration_ms: 0,
      error: 'not_sent: The event could not be sent yet; see the delivery log later.',
    });
    assert.ok(tookMs >= SHORT_MS && tookMs < 30_000, `${tookMs} ms`);
    assert.equal((await suite.deliveries())[0]?.status, 'pending');
  });

  it('stores the test, which the next worker sends', async () => {
    const { url, requests } = await suite.receiver();
    const { id } = await createEndpoint(suite.org, url);
    const { body } = await suite.org.client.post(`/api/webhooks/${id}/test`);
    suite.dispatcher();
    await waitUntil(() => requests.length === 1, 'the test');
    assert.equal(requests[0]!.headers['x-webhook-delivery'], body.delivery_id);
  });
});
