import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { waitUntil } from '../support/wait-until.ts';
import type { Receiver } from './receiver.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint } from './support.ts';
import { isSignedWith } from './signed-requests.ts';

/** The dispatcher gives back what it holds of an endpoint as soon as it hears of a change. */
const NOTE_RELEASES = `
  CREATE TABLE releases ();
  CREATE FUNCTION note_release() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO releases DEFAULT VALUES; RETURN NULL; END $$;
  CREATE TRIGGER note_release AFTER UPDATE ON webhook_deliveries FOR EACH ROW
    WHEN (NEW.status = 'pending' AND OLD.lease_expires_at IS NOT NULL AND NEW.lease_expires_at IS NULL)
    EXECUTE FUNCTION note_release()`;
const BACKLOG = 60;
const UNDER_WAY = 5;

describe('an endpoint that is changed while deliveries wait', () => {
  const suite = useWebhooks();
  let endpoint: { id: string; secret: string };
  let slow: Receiver;

  let held: ServerResponse[];

  before(() => suite.parley.database.sql(NOTE_RELEASES));

  /** A backlog of which the first requests are under way, and nothing else begins before they are answered. */
  beforeEach(async () => {
    held = [];
    slow = await suite.receiver((response, _request, count) =>
      count > UNDER_WAY ? response.end() : held.push(response),
    );
    endpoint = await createEndpoint(suite.org, slow.url);
    await suite.listeningDispatcher();
    await suite.emit(BACKLOG);
    await waitUntil(() => slow.requests.length === UNDER_WAY, 'the first requests');
    await suite.parley.database.sql('DELETE FROM releases');
  });

  const path = () => `/api/webhooks/${endpoint.id}` as const;
  function goOn(): void {
    for (const response of held) response.end();
  }
  /** Lets what waits go on, once the dispatcher knows of the change. */
  async function goOnAfterNotice(): Promise<void> {
    const releases = () => suite.parley.database.sql('SELECT FROM releases');
    await waitUntil(async () => (await releases()).length > 0, 'the dispatcher to hear of the change');
    goOn();
  }

  it('has every attempt signed with the new secret from its rotation on', async () => {
    const { body, status } = await suite.org.client.post(`${path()}/rotate-secret`);
    assert.equal(status, 200);
    await goOnAfterNotice();
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
    await goOnAfterNotice();
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
    await goOnAfterNotice();
    const other = await suite.receiver();
    await createEndpoint(suite.org, other.url);
    await suite.emit();
    await waitUntil(() => other.requests.length === 1, 'the next event, which another endpoint gets');
    assert.equal(slow.requests.length, UNDER_WAY);
    const { status } = await suite.org.client.get(`/api/webhooks/deliveries?webhook_id=${endpoint.id}`);
    assert.equal(status, 404);
  });

  it('gets everything that waits at its new address', async () => {
    const { url, requests } = await suite.receiver();
    await suite.org.client.patch(path(), { url });
    await goOnAfterNotice();
    await suite.tried();
    assert.deepEqual([slow.requests.length, requests.length], [UNDER_WAY, BACKLOG - UNDER_WAY]);
    const ids = [...slow.requests, ...requests].map(({ headers }) => headers['x-webhook-delivery']);
    assert.equal(new Set(ids).size, BACKLOG);
  });

  it('gets what waited already, and no more of it, when it is subscribed to other events', async () => {
    await suite.org.client.put(`${path()}/events`, { events: ['document.failed'] });
    goOn();
    await suite.emit();
    await suite.tried();
    assert.equal(slow.requests.length, BACKLOG);
  });

  it('gets nothing of another bot from then on when it is limited to one', async () => {
    const { body: bot } = await suite.org.client.post('/api/bots', { name: 'Guide' });
    await suite.org.client.patch(path(), { bot_id: bot.id });
    goOn();
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
