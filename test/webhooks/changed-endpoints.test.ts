import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { Receiver } from './receiver.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint } from './support.ts';
import { isSignedWith } from './signed-requests.ts';

/** Time for a change to reach the dispatcher, on a machine that is busy, too. */
const NOTICE_MS = 2500;
const BACKLOG = 60;
const UNDER_WAY = 5;

describe('an endpoint that is changed while deliveries wait', () => {
  const suite = useWebhooks();
  let endpoint: { id: string; secret: string };
  let slow: Receiver;

  let held: ServerResponse[];

  /** A backlog of which the first requests are under way, and nothing else begins before they are answered. */
  beforeEach(async () => {
    held = [];
    slow = await suite.receiver((response, _request, count) =>
      count > UNDER_WAY ? response.end() : held.push(response),
    );
    endpoint = await createEndpoint(suite.org, slow.url);
    await suite.listeningDispatcher();
    await suite.emit(BACKLOG);
    await until(() => slow.requests.length === UNDER_WAY, 'the first requests');
  });

  const path = () => `/api/webhooks/${endpoint.id}` as const;
  /** Lets what waits go on, once the dispatcher knows of the change. */
  async function goOn(): Promise<void> {
    await sleep(NOTICE_MS);
    for (const response of held) response.end();
  }

  it('has every attempt signed with the new secret from its rotation on', async () => {
    const { body, status } = await suite.org.client.post(`${path()}/rotate-secret`);
    assert.equal(status, 200);
    await goOn();
    await suite.tried();
    assert.equal(slow.requests.length, BACKLOG);
    for (const request of slow.requests.slice(UNDER_WAY)) {
      assert.deepEqual(
        [isSignedWith(body.secret, request), isSignedWith(endpoint.secret, request)],
        [true, false],
      );
    }
    for (const request of slow.requests.slice(0, UNDER_WAY))
      assert.ok(isSignedWith(endpoint.secret, request));
  });

  it('gets nothing more when it is switched off; what waits fails with that reason', async () => {
    await suite.org.client.patch(path(), { is_active: false });
    await goOn();
    await suite.tried();
    assert.equal(slow.requests.length, UNDER_WAY);
    const deliveries = await suite.deliveries();
    const unsent = deliveries.filter(({ status }) => status !== 'delivered');
    assert.equal(unsent.length, BACKLOG - UNDER_WAY);
    for (const { status, reason, attempts, responseStatus } of unsent) {
      assert.deepEqual(
        [status, reason, attempts, responseStatus],
        ['failed', 'endpoint_disabled: The endpoint is disabled.', 0, null],
      );
    }
  });

  it('gets nothing more when it is deleted', async () => {
    await suite.org.client.delete(path());
    await goOn();
    await sleep(NOTICE_MS);
    assert.equal(slow.requests.length, UNDER_WAY);
    const { body } = await suite.org.client.get('/api/webhooks/deliveries');
    assert.deepEqual(body.items, []);
  });

  it('gets everything that waits at its new address', async () => {
    const { url, requests } = await suite.receiver();
    await suite.org.client.patch(path(), { url });
    await goOn();
    await suite.tried();
    assert.deepEqual([slow.requests.length, requests.length], [UNDER_WAY, BACKLOG - UNDER_WAY]);
    const ids = [...slow.requests, ...requests].map(({ headers }) => headers['x-webhook-delivery']);
    assert.equal(new Set(ids).size, BACKLOG);
  });

  it('gets what waited already, and no more of it, when it is subscribed to other events', async () => {
    await suite.org.client.put(`${path()}/events`, { events: ['document.failed'] });
    await goOn();
    await suite.emit();
    await suite.tried();
    assert.equal(slow.requests.length, BACKLOG);
  });

  it('gets nothing of another bot from then on when it is limited to one', async () => {
    const { body: bot } = await suite.org.client.post('/api/bots', { name: 'Guide' });
    await suite.org.client.patch(path(), { bot_id: bot.id });
    await goOn();
    await suite.emit();
    await suite.tried();
    assert.equal(slow.requests.length, BACKLOG);
  });
});

describe('an endpoint that says it is gone', () => {
  const suite = useWebhooks();

  it('gets nothing after the requests that were under way, and all else fails', async () => {
    const { url, requests } = await suite.receiver((response) =>
      setTimeout(() => response.writeHead(410).end(), 50),
    );
    const { id } = await createEndpoint(suite.org, url);
    await suite.listeningDispatcher();
    await suite.emit(60);
    const tried = await suite.tried();
    assert.ok(requests.length <= 10, `${requests.length} requests`);
    const reasons = tried.map(({ reason }) => reason);
    assert.equal(
      reasons.filter((reason) => reason === 'endpoint_disabled: The endpoint is disabled.').length,
      60 - requests.length,
    );
    const { isActive, deliveryCount, failureCount } = await suite.endpoint(id);
    assert.deepEqual([isActive, deliveryCount, failureCount], [false, requests.length, requests.length]);
  });
});
