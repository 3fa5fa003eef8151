import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { waitUntil } from '../../support/wait-until.ts';
import type { Receiver } from '../../webhooks/receiver.ts';
import { useWebhooks } from '../../webhooks/suite.ts';
import { createEndpoint } from '../../webhooks/support.ts';
import { isSignedWith } from '../../webhooks/signed-requests.ts';

/**
 * SQL that records each release of leases: the dispatcher releases an endpoint’s deliveries when notified of
 * its change.
 */
const NOTE_RELEASES = `
  CREATE TABLE releases ();
  CREATE FUNCTION note_release() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO releases DEFAULT VALUES; RETURN NULL; END $$;
  CREATE TRIGGER note_release AFTER UPDATE ON webhook_deliveries FOR EACH ROW
    WHEN (NEW.status = 'pending' AND OLD.lease_expires_at IS NOT NULL AND NEW.lease_expires_at IS NULL)
    EXECUTE FUNCTION note_release()`;
const BACKLOG = 60;
const UNDER_WAY = 5;

describe('an endpoint that is changed while deliveries are pending', () => {
  const suite = useWebhooks();
  let endpoint: { id: string; secret: string };
  let slow: Receiver;

  let held: ServerResponse[];

  before(() => suite.parley.database.sql(NOTE_RELEASES));

  /**
   * Creates many deliveries that wait. The receiver leaves its first five requests unanswered, so the
   * dispatcher sends no more.
   */
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
  function answerHeld(): void {
    for (const response of held) response.end();
  }
  /** Answers the waiting requests once the dispatcher knows of the change of the endpoint. */
  async function answerAfterNotice(): Promise<void> {
    const listReleases = () => suite.parley.database.sql('SELECT FROM releases');
    await waitUntil(async () => (await listReleases()).length > 0, 'the dispatcher to hear of the change');
    answerHeld();
  }

  it('gets attempts signed with the new secret after its rotation', async () => {
    const { body, status } = await suite.org.client.post(`${path()}/rotate-secret`);
    assert.equal(status, 200);
    await answerAfterNotice();
    await suite.waitUntilTried();
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

  it('gets nothing more after it is disabled; pending deliveries fail with that reason', async () => {
    await suite.org.client.patch(path(), { is_active: false });
    await answerAfterNotice();
    await suite.waitUntilTried();
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

  it('gets nothing more after it is deleted', async () => {
    await suite.org.client.delete(path());
    await answerAfterNotice();
    const other = await suite.receiver();
    await createEndpoint(suite.org, other.url);
    await suite.emit();
    await waitUntil(() => other.requests.length === 1, 'the next event, which another endpoint gets');
    assert.equal(slow.requests.length, UNDER_WAY);
    const { status } = await suite.org.client.get(`/api/webhooks/deliveries?webhook_id=${endpoint.id}`);
    assert.equal(status, 404);
  });

  it('gets all pending deliveries at its new URL', async () => {
    const { url, requests } = await suite.receiver();
    await suite.org.client.patch(path(), { url });
    await answerAfterNotice();
    await suite.waitUntilTried();
    assert.deepEqual([slow.requests.length, requests.length], [UNDER_WAY, BACKLOG - UNDER_WAY]);
    const ids = [...slow.requests, ...requests].map(({ headers }) => headers['x-webhook-delivery']);
    assert.equal(new Set(ids).size, BACKLOG);
  });

  it('gets pending deliveries of an event from which it unsubscribes, but no new deliveries', async () => {
    await suite.org.client.put(`${path()}/events`, { events: ['document.failed'] });
    answerHeld();
    await suite.emit();
    await suite.waitUntilTried();
    assert.equal(slow.requests.length, BACKLOG);
  });

  it('gets no deliveries of other bots after it is limited to one bot', async () => {
    const { body: bot } = await suite.org.client.post('/api/bots', { name: 'Guide' });
    await suite.org.client.patch(path(), { bot_id: bot.id });
    answerHeld();
    await suite.emit();
    await suite.waitUntilTried();
    assert.equal(slow.requests.length, BACKLOG);
  });
});

describe('an endpoint that returns 410', () => {
  const suite = useWebhooks();

  it('gets no requests after those in progress, and its other deliveries fail', async () => {
    const { url, requests } = await suite.receiver((response) =>
      setTimeout(() => response.writeHead(410).end(), 50),
    );
    const { id } = await createEndpoint(suite.org, url);
    await suite.listeningDispatcher();
    await suite.emit(60);
    const tried = await suite.waitUntilTried();
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
