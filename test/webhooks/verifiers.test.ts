import assert from 'node:assert/strict';
import Stripe from 'stripe';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { findStripePython, verifyInPython, type SignedBody } from './python-stripe.ts';
import { startReceiver, type ReceivedRequest, type Receiver } from './receiver.ts';
import { createEndpoint, emitEvent, emitLead, leadCaptured, messageCreated } from './support.ts';

const TOLERANCE_SECONDS = 300;

/** Values that the body of a webhook must contain unchanged. */
const fields = {
  zebra: 'Ñandú 😊 \u001b Größe ☕ 日本語 🎉 👩‍👩‍👧 \u202e \u2028',
  ant: [1e21, 1e-7, Number.MAX_SAFE_INTEGER, -0.1, 0],
  quoted: '"\\/</script>\b\f\n\r\t\u007f',
  empty: { '': null },
};

const kinds = ['a first attempt', 'a retry', 'a replay', 'a test', 'a batched message'] as const;

describe('Stripe’s verifiers', function () {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let receiver: Receiver;
  let secret: string;
  const received = new Map<(typeof kinds)[number], ReceivedRequest>();

  before(async () => {
    parley = await startParleyWithWorker({ webhookRetrySchedule: '1' });
    org = await parley.buildOrg();
    receiver = await startReceiver((response, _request, count) =>
      response.writeHead(count === 1 ? 503 : 200).end(),
    );
    const endpoint = await createEndpoint(org, receiver.url);
    ({ secret } = endpoint);
    await emitLead(parley, org, { ...leadCaptured(), fields });
    await waitForArrival('a first attempt', 1);
    await waitForArrival('a retry', 2);
    const [{ id } = assert.fail()] = await waitForDelivered();
    await org.client.post(`/api/webhooks/deliveries/${id}/replay`);
    await waitForArrival('a replay', 3);
    await org.client.post(`/api/webhooks/${endpoint.id}/test`);
    await waitForArrival('a test', 4);
    await emitEvent(parley, org, 'message.created', { ...messageCreated(), content: fields.zebra });
    await waitForArrival('a batched message', 5);
  });
  after(async () => {
    await parley?.stop();
    await receiver?.close();
  });

  async function waitForArrival(kind: (typeof kinds)[number], count: number): Promise<void> {
    await waitUntil(() => receiver.requests.length === count, kind);
    received.set(kind, receiver.requests[count - 1]!);
  }

  async function waitForDelivered(): Promise<{ id: string }[]> {
    const readDeliveries = async () =>
      (await org.client.get('/api/webhooks/deliveries?status=delivered')).body.items;
    await waitUntil(async () => (await readDeliveries()).length > 0, 'the record of the delivery');
    return readDeliveries();
  }

  const findSigned = (kind: (typeof kinds)[number]): SignedBody => {
    const { body, headers } = received.get(kind)!;
    return { body: Buffer.from(body), header: String(headers['x-webhook-signature']), secret };
  };

  describe('in JavaScript', () => {
    const { signature: verifier } = new Stripe('sk_test_unused').webhooks;
    const verifyInNode = ({ body, header, secret: key }: SignedBody) =>
      verifier!.verifyHeader(body, header, key, TOLERANCE_SECONDS);

    for (const kind of kinds) {
      it(`accept ${kind}`, () => assert.equal(verifyInNode(findSigned(kind)), true));
      it(`refuse ${kind} that was changed, serialized again, or signed with another secret`, () => {
        const each = findSigned(kind);
        const tampered = Buffer.from(each.body);
        tampered.writeUInt8(tampered.readUInt8(9) ^ 1, 9);
        assert.throws(() => verifyInNode({ ...each, body: tampered }));
        assert.throws(() =>
          verifyInNode({
            ...each,
            body: Buffer.from(JSON.stringify(JSON.parse(String(each.body)), null, 1)),
          }),
        );
        assert.throws(() => verifyInNode({ ...each, secret: `${secret}x` }));
        assert.throws(() => verifyInNode({ ...each, header: each.header.replace(/t=\d+/, 't=1767225600') }));
      });
    }
  });

  describe('in Python', () => {
    let python = '';
    before(function () {
      python = findStripePython() ?? this.skip();
    });

    itInSoak(`accept ${kinds.join(', ')}`, async () => {
      const results = await verifyInPython(python, kinds.map(findSigned), TOLERANCE_SECONDS);
      assert.deepEqual(results, [true, true, true, true, true]);
    });

    it('refuse each delivery with a wrong secret or body', async () => {
      const wrong = kinds.map(findSigned).flatMap((each) => [
        { ...each, secret: 'whsec_other' },
        { ...each, body: Buffer.concat([each.body, Buffer.from('\n')]) },
      ]);
      assert.deepEqual(new Set(await verifyInPython(python, wrong, TOLERANCE_SECONDS)), new Set([false]));
    });
  });

  it('get the same bytes at each attempt and in a replay', () => {
    const [first, retry, replay] = kinds.map((kind) => received.get(kind)!.body);
    assert.equal(retry, first);
    assert.equal(replay, first);
  });

  itInSoak('get the emitted values to the last character and digit', () => {
    const { event, data } = JSON.parse(received.get('a first attempt')!.body);
    assert.equal(event, 'lead.captured');
    assert.deepEqual(data.fields, fields);
    assert.equal(JSON.parse(received.get('a batched message')!.body).data.content, fields.zebra);
  });

  it('get a new time and signature at each attempt, and the same delivery id at each attempt', () => {
    const [first, retry, replay] = kinds.map((kind) => received.get(kind)!.headers);
    assert.equal(retry!['x-webhook-delivery'], first!['x-webhook-delivery']);
    assert.notEqual(replay!['x-webhook-delivery'], first!['x-webhook-delivery']);
    assert.ok(Number(retry!['x-webhook-timestamp']) > Number(first!['x-webhook-timestamp']));
    assert.notEqual(retry!['x-webhook-signature'], first!['x-webhook-signature']);
  });
});
