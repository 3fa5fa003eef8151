import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Keyring } from '../../adapters/keys/keyring.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { generateEndpointSecret, endpointSecretContext } from '../../services/webhooks/endpoint-secret.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { recordLog } from '../support/recorded-log.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Receiver } from './receiver.ts';
import { useWebhooks } from './suite.ts';
import { createEndpoint, NOT_MAILED } from './support.ts';

const COUNT = 60;
const REASON =
  'secret_unavailable: The endpoint’s signing secret cannot be decrypted now. Parley sends the delivery once it can decrypt the secret.';

describe('an endpoint whose secret cannot be decrypted', () => {
  const suite = useWebhooks({}, { hasStoppedClock: true });
  let receiver: Receiver;
  let webhookId: string;
  let rightSecret: string;

  const getRows = () => suite.parley.database.repository(Webhook);

  beforeEach(async () => {
    receiver = await suite.receiver();
    ({ id: webhookId } = await createEndpoint(suite.org, receiver.url));
    rightSecret = (await suite.endpoint(webhookId)).sealedSecret;
    const otherKey = new Keyring(randomBytes(32).toString('base64'));
    const sealedSecret = otherKey.seal(generateEndpointSecret(), endpointSecretContext(webhookId));
    await getRows().update(webhookId, { sealedSecret });
  });

  const listPostponed = () =>
    waitUntil(
      async () => (await suite.deliveries()).every(({ reason, leaseExpiresAt }) => reason && !leaseExpiresAt),
      'all to be postponed',
    );

  it('gets no requests; its deliveries wait, and neither endpoint nor delivery counts a failure', async () => {
    const before = await suite.endpoint(webhookId);
    await suite.emit(COUNT);
    suite.dispatcher();
    await listPostponed();
    for (const { status, attempts, reason, dueAt, createdAt } of await suite.deliveries()) {
      assert.deepEqual([status, attempts, reason], ['pending', 0, REASON]);
      const pauseMs = dueAt.getTime() - createdAt.getTime();
      assert.ok(pauseMs >= 5000 && pauseMs <= 5500, `${pauseMs} ms`);
    }
    assert.deepEqual({ ...(await suite.endpoint(webhookId)) }, { ...before });
    assert.equal(receiver.requests.length, 0);
    assert.equal(await suite.parley.database.repository(OutboxRow).countBy(NOT_MAILED), 0);
  });

  it('has deliveries that wait at most as long as the log is kept', async () => {
    await suite.emit(1);
    await suite.parley.database.sql(`UPDATE webhook_deliveries SET created_at = now() - interval '31 days'`);
    suite.dispatcher();
    await waitUntil(async () => (await suite.deliveries())[0]?.status === 'failed', 'the delivery to fail');
    const [{ attempts, reason } = {}] = await suite.deliveries();
    assert.deepEqual([attempts, reason], [0, REASON]);
  });

  it('is logged once as an error with instructions for the operator', async () => {
    const { log, entries } = recordLog();
    await suite.emit(COUNT);
    suite.dispatcher({ log });
    await listPostponed();
    const errors = entries().filter(({ level }) => level === 'error');
    assert.deepEqual(
      errors.map(({ webhookId }) => webhookId),
      [webhookId],
    );
    assert.match(errors[0]!.msg, /^PARLEY_MASTER_KEY cannot decrypt .* start the worker with the key/);
  });

  it('gets all deliveries once the master key is restored', async () => {
    await suite.emit(COUNT);
    suite.dispatcher();
    await listPostponed();
    await getRows().update(webhookId, { sealedSecret: rightSecret });
    await suite.parley.database.sql('UPDATE webhook_deliveries SET due_at = now()');
    await waitUntil(() => receiver.requests.length === COUNT, 'the deliveries');
    for (const { status, attempts, reason } of await suite.waitUntilTried())
      assert.deepEqual([status, attempts, reason], ['delivered', 1, null]);
  });

  it('gets its next deliveries once its secret is rotated', async () => {
    await suite.emit();
    suite.dispatcher();
    await listPostponed();
    assert.equal((await suite.org.client.post(`/api/webhooks/${webhookId}/rotate-secret`)).status, 200);
    await suite.parley.passTime(6);
    await waitUntil(() => receiver.requests.length === 1, 'the delivery');
  });

  itInSoak('does not delay other endpoints', async () => {
    const other = await suite.receiver();
    await createEndpoint(suite.org, other.url);
    await suite.emit(COUNT);
    suite.dispatcher();
    await waitUntil(() => other.requests.length === COUNT, 'the deliveries of the other one');
    assert.equal(receiver.requests.length, 0);
  });

  it('makes testWebhook return the reason', async () => {
    suite.dispatcher();
    const { status, body } = await suite.org.client.post(`/api/webhooks/${webhookId}/test`);
    assert.equal(status, 200);
    assert.deepEqual([body.ok, body.status_code, body.error], [false, null, REASON]);
  });
});
