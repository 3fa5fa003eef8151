import assert from 'node:assert/strict';
import Stripe from 'stripe';
import { newId } from '../../../core/ids.ts';
import { AuditEvent } from '../../../entities/team/audit-event.entity.ts';
import { Checkout } from '../../../entities/billing/checkout.entity.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../../support/parley.ts';
import { FakeStripe } from '../../support/stripe/fake-stripe.ts';
import { describeWithStripe } from '../../support/stripe/stripe-mock.ts';
import { buildPayer, buildPaying } from '../../billing/support.ts';

const PARALLEL = 4;

/**
 * Tests repeated calls of operations that call the payment provider. Tests in test/contract cover the repeats
 * of all other writes.
 */
describeWithStripe('operations that call the payment provider, with an Idempotency-Key:', () => {
  let stripe: FakeStripe;
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    stripe = await FakeStripe.start();
    parley = await startParley(stripe.env);
    second = await parley.startAnother();
  });
  afterEach(() => stripe.requireKnownRequests());
  after(async () => {
    await parley.stop();
    await stripe.stop();
  });

  it('createCheckout takes effect once for concurrent calls, repeats its response, and refuses a different request with the same key', async () => {
    const payer = await buildPayer(parley);
    const { accessToken } = await parley.signIn(payer);
    const headers = { 'idempotency-key': newId() };
    const request = { tier: 'topup', quantity: 2 };
    const post = (process: TestProcess, body: object) =>
      process.client(accessToken).post('/api/billing/checkout', body, headers);
    const responses = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) => post(index % 2 ? second : parley, request)),
    );
    const made = responses.filter(({ status }) => status === 201);
    assert.ok(made.length > 0);
    assert.equal(new Set(made.map(({ body }) => body.id)).size, 1);
    assert.equal(await parley.database.repository(Checkout).countBy({ orgId: payer.orgId }), 1);
    const again = await post(second, request);
    assert.deepEqual([again.status, again.body], [201, made[0]!.body]);
    assert.equal(again.headers.get('idempotent-replay'), 'true');
    assert.equal(formatOutcome(await post(parley, { tier: 'pro' })), '422 idempotency_key_reused');
  });

  it('cancelSubscription repeats its response, even after a reactivation', async () => {
    const payer = await buildPaying(parley, stripe);
    const headers = { 'idempotency-key': newId() };
    const cancel = () => payer.session.post('/api/billing/subscription/cancel', undefined, headers);
    const first = await cancel();
    await payer.session.post('/api/billing/checkout', { tier: 'pro' });
    const again = await cancel();
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal(stripe.account.get('subscription', payer.subscriptionId).cancel_at_period_end, false);
  });

  it('receiveBillingEvent distinguishes bodies byte by byte', async () => {
    const headers = { 'idempotency-key': newId() };
    const post = (type: string) => {
      const payload = JSON.stringify({
        id: `evt_${type}`,
        type,
        livemode: false,
        data: { object: { id: 'in_1', object: 'invoice', customer: null } },
      });
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: stripe.webhookSecret });
      return parley
        .client()
        .post('/api/billing/provider-events', payload, { ...headers, 'stripe-signature': signature });
    };
    const first = await post('invoice.paid');
    assert.equal(first.status, 200);
    const again = await post('invoice.paid');
    assert.deepEqual([again.body, again.headers.get('idempotent-replay')], [first.body, 'true']);
    assert.equal(formatOutcome(await post('invoice.voided')), '422 idempotency_key_reused');
  });

  it('createCheckout and cancelSubscription write to the audit log', async () => {
    const payer = await buildPaying(parley, stripe);
    await payer.session.post('/api/billing/subscription/cancel');
    const auditEvents = await parley.database
      .repository(AuditEvent)
      .find({ where: { orgId: payer.orgId }, order: { id: 'ASC' } });
    const [checkout] = await parley.database.repository(Checkout).findBy({ orgId: payer.orgId });
    assert.deepEqual(
      auditEvents.map(({ operation, resourceType, resourceId, changedFields }) => [
        operation,
        resourceType,
        resourceId,
        changedFields,
      ]),
      [
        ['createCheckout', 'checkout', checkout!.id, ['tier']],
        ['cancelSubscription', 'subscription', payer.orgId, []],
      ],
    );
  });
});
