import assert from 'node:assert/strict';
import Stripe from 'stripe';
import { BillingEvent } from '../../entities/billing/billing-event.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { newId } from '../../core/ids.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import type { DeliveryOptions } from '../support/stripe/deliveries.ts';
import { FakeStripe } from '../support/stripe/fake-stripe.ts';
import { describeWithStripe } from '../support/stripe/stripe-mock.ts';
import { buildPayer, buildPaying, buy, parseSessionId, readSubscription, sync } from './support.ts';
import { findOpened } from '../support/find-opened.ts';

const PATH = '/api/billing/provider-events';
const NEXT_SECRET = 'whsec_the_next_one';

describeWithStripe('events of the payment provider:', () => {
  let stripe: FakeStripe;
  let parley: TestParley;
  let url: string;
  before(async () => {
    stripe = await FakeStripe.start();
    parley = await startParley({
      ...stripe.env,
      PARLEY_STRIPE_WEBHOOK_SECRET: `${stripe.env['PARLEY_STRIPE_WEBHOOK_SECRET']},${NEXT_SECRET}`,
    });
    url = `${parley.baseUrl}${PATH}`;
  });
  afterEach(() => stripe.requireKnownRequests());
  after(async () => {
    await parley.stop();
    await stripe.stop();
  });

  const findEvent = (type: string, customer: string) =>
    stripe.events.findLast(
      ({ type: each, data }) => each === type && (data.object as { customer?: string }).customer === customer,
    )!;
  /** Removes the signals to a workspace's workflows from the outbox, and returns them. */
  async function takeCommands(orgId: string): Promise<string[]> {
    const rows = await findOpened(parley.database, OutboxRow, { where: { orgId }, order: { id: 'ASC' } });
    await parley.database.repository(OutboxRow).delete({ orgId });
    return rows.map(({ payload: { workflowId, signal } }) => `${String(workflowId)} ${String(signal)}`);
  }

  it('receiveBillingEvent signals the workflow of the checkout, or that of the payer, and changes no state itself', async () => {
    const payer = await buildPayer(parley);
    const { id, url: page } = await buy(payer, 'pro');
    const session = stripe.pay(parseSessionId({ url: page }));
    await takeCommands(payer.orgId);
    const deliverAndTakeCommands = async (type: string) => {
      const [delivery] = await stripe.deliveries.send(findEvent(type, session.customer!), { urls: [url] });
      return [delivery!.status, ...(await takeCommands(payer.orgId))];
    };
    assert.deepEqual(await deliverAndTakeCommands('checkout.session.completed'), [
      200,
      `checkout/${id} event`,
    ]);
    assert.deepEqual(await deliverAndTakeCommands('customer.subscription.created'), [
      200,
      `billing/${payer.orgId} changed`,
    ]);
    assert.deepEqual(await deliverAndTakeCommands('invoice.paid'), [200, `billing/${payer.orgId} changed`]);
    assert.deepEqual(await deliverAndTakeCommands('payment_intent.succeeded'), [200]);
    assert.equal((await readSubscription(payer)).tier, 'free');
  });

  it('receiveBillingEvent accepts an event once if it arrives twenty times concurrently at two processes', async () => {
    const payer = await buildPaying(parley, stripe);
    await takeCommands(payer.orgId);
    const another = await parley.startAnother();
    const event = findEvent('customer.subscription.created', payer.customerId);
    const urls = [url, `${another.baseUrl}${PATH}`];
    const deliveries = await stripe.deliveries.send(event, { urls, times: 10 });
    assert.deepEqual([...new Set(deliveries.map(({ status }) => status))], [200]);
    const texts = deliveries.map(({ body }) => (JSON.parse(body) as { message: string }).message);
    assert.equal(texts.filter((text) => text === 'The event is being processed.').length, 1);
    assert.equal(texts.filter((text) => text === 'The event was already received.').length, 19);
    assert.deepEqual(await takeCommands(payer.orgId), [`billing/${payer.orgId} changed`]);
  });

  const signed: [title: string, options: Omit<DeliveryOptions, 'urls'>, status: number][] = [
    ['by either of two secrets', { secrets: [NEXT_SECRET] }, 200],
    ['with two secrets of which one is known', { secrets: ['whsec_old_one', NEXT_SECRET] }, 200],
    ['299 seconds ago', { ageSeconds: 295 }, 200],
    ['301 seconds ago', { ageSeconds: 301 }, 401],
    ['for 295 seconds from now', { ageSeconds: -295 }, 200],
    ['for 302 seconds from now', { ageSeconds: -302 }, 401],
    ['for an hour from now', { ageSeconds: -3600 }, 401],
    ['with another key', { secrets: ['whsec_other'] }, 401],
    ['as JSON that was serialized again', { isReserialized: true }, 401],
    ['without a signature', { signature: null }, 401],
    ['with a malformed signature', { signature: 't=1,v1=' }, 401],
    ['only in another scheme', { signature: `t=${Math.floor(Date.now() / 1000)},v0=abc` }, 401],
  ];
  for (const [title, options, status] of signed)
    it(`receiveBillingEvent returns ${status} for a body that was signed ${title}`, async () => {
      const event = {
        ...stripe.account.emit('customer.updated', { id: 'cus_1', object: 'customer' }),
        id: newId(),
      };
      const [delivery] = await stripe.deliveries.send(event, { urls: [url], ...options });
      assert.equal(delivery!.status, status, delivery!.body);
      const isStored = await parley.database.repository(BillingEvent).existsBy({ id: event.id });
      assert.equal(isStored, status === 200);
    });

  const heavy: [what: string, body: string][] = [
    ['nested lists', `{"data":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['300,000 objects', `{"data":[${'{},'.repeat(300_000)}{}]}`],
    ['60,000 keys', `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
  ];
  for (const [what, body] of heavy)
    it(`receiveBillingEvent refuses a signed body of ${what} with 413`, async () => {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: NEXT_SECRET });
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 413);
    });

  it('receiveBillingEvent ignores events of the other mode, test or live', async () => {
    const payer = await buildPaying(parley, stripe);
    await takeCommands(payer.orgId);
    const event = findEvent('invoice.paid', payer.customerId);
    const [delivery] = await stripe.deliveries.send(event, { urls: [url], livemode: true });
    assert.equal(delivery!.status, 200);
    assert.deepEqual(await takeCommands(payer.orgId), []);
    assert.equal(await parley.database.repository(BillingEvent).existsBy({ id: event.id }), false);
  });

  it('receiveBillingEvent accepts events of unknown types, and of unknown customers', async () => {
    for (const [type, object, outcome] of [
      ['moon.risen', { id: 'moon_1', object: 'moon' }, 'ignored'],
      [
        'customer.subscription.updated',
        { id: 'sub_1', object: 'subscription', customer: 'cus_of_others' },
        'unmatched',
      ],
      ['invoice.paid', { id: 'in_1', object: 'invoice', customer: { id: 'cus_of_others' } }, 'unmatched'],
      ['invoice.paid', { id: 'in_1', object: 'invoice', customer: null }, 'unmatched'],
    ] as const) {
      const event = stripe.account.emit(type, object);
      const [delivery] = await stripe.deliveries.send(event, { urls: [url] });
      assert.equal(delivery!.status, 200);
      const kept = await parley.database.repository(BillingEvent).findOneByOrFail({ id: event.id });
      assert.equal(kept.outcome, outcome);
    }
  });

  it('receiveBillingEvent stores an event whose checkout does not exist yet, and the sweep matches event and checkout later', async () => {
    const payer = await buildPayer(parley);
    const checkoutId = newId();
    const event = stripe.account.emit('checkout.session.completed', {
      id: 'cs_early',
      object: 'checkout.session',
      customer: null,
      metadata: { checkout_id: checkoutId },
    });
    const [delivery] = await stripe.deliveries.send(event, { urls: [url] });
    assert.equal(delivery!.status, 200);
    const { billingSweep } = parley.runtime.services.billing;
    assert.equal((await billingSweep.run(parley.database)).events, 0);
    await parley.database.manager.insert('Checkout', {
      id: checkoutId,
      orgId: payer.orgId,
      product: 'pro',
      quantity: 1,
      kind: 'session',
      state: 'open',
      sessionId: 'cs_early',
      expiresAt: new Date(Date.now() + 3_600_000),
      createdById: payer.userId,
    });
    assert.equal((await billingSweep.run(parley.database)).events, 1);
    assert.deepEqual(await takeCommands(payer.orgId), [`checkout/${checkoutId} event`]);
    const { outcome, orgId } = await parley.database
      .repository(BillingEvent)
      .findOneByOrFail({ id: event.id });
    assert.deepEqual([outcome, orgId], ['passed_on', payer.orgId]);
    await parley.database.manager.delete('Checkout', { id: checkoutId });
  });

  it('receiveBillingEvent returns 4xx for a signed body that is not an event, or is larger than a megabyte', async () => {
    const post = (body: string) => {
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload: body,
        secret: stripe.webhookSecret,
      });
      return parley.client().fetch(PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body,
      });
    };
    assert.equal((await post('no JSON')).status, 400);
    for (const body of ['{"id":"evt_1"}', 'null', '[]']) assert.equal((await post(body)).status, 422, body);
    const event = { type: 'invoice.paid', livemode: false, data: { object: {} } };
    assert.equal((await post(JSON.stringify({ ...event, id: 'evt_\0' }))).status, 422);
    assert.equal((await post(JSON.stringify('a'.repeat(1024 * 1024)))).status, 413);
  });

  it('receiveBillingEvent leads to the provider’s current state, even if events arrive in reverse order', async () => {
    const payer = await buildPaying(parley, stripe, 'starter');
    stripe.deliveries.isHeld = true;
    stripe.failRenewal(payer.subscriptionId);
    await sync(parley, payer);
    assert.deepEqual(((s) => [s.tier, s.status])(await readSubscription(payer)), ['starter', 'past_due']);
    stripe.leaveUnpaid(payer.subscriptionId);
    await sync(parley, payer);
    assert.deepEqual(((s) => [s.tier, s.status])(await readSubscription(payer)), ['free', 'ended']);
    stripe.recoverInvoice(
      stripe.account.list('invoice').findLast(({ customer }) => customer === payer.customerId)!.id,
    );
    await sync(parley, payer);
    assert.deepEqual(((s) => [s.tier, s.status])(await readSubscription(payer)), ['starter', 'active']);
    stripe.deliveries.urls = [url];
    const deliveries = await stripe.deliveries.release((events) => events.toReversed());
    stripe.deliveries.urls = [];
    assert.deepEqual([...new Set(deliveries.map(({ status }) => status))], [200]);
    await sync(parley, payer);
    assert.deepEqual(((s) => [s.tier, s.status])(await readSubscription(payer)), ['starter', 'active']);
  });
});

describe('receiveBillingEvent without a payment provider', () => {
  it('returns 503', async () => {
    const parley = await startParley();
    const { status, headers } = await parley.client().post(PATH, { id: 'evt_1', type: 'invoice.paid' });
    assert.equal(status, 503);
    assert.equal(headers.get('retry-after'), '300');
    await parley.stop();
  });
});
