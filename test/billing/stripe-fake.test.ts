import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { getDocumentProxy } from 'unpdf';
import { FakeStripe } from '../support/stripe/fake-stripe.ts';
import { RESTRICTED_KEY } from '../support/stripe/keys.ts';
import { describeWithStripe } from '../support/stripe/stripe-mock.ts';

describeWithStripe('the Stripe fake', () => {
  let fake: FakeStripe;
  let stripe: Stripe;

  beforeEach(async () => {
    fake = await FakeStripe.start();
    stripe = createStripeClient(fake);
  });
  afterEach(() => fake.stop());

  it('creates a subscription with a paid invoice through a checkout', async () => {
    const session = await checkout(fake, stripe);
    assert.equal((await fetch(session.url!)).status, 200);
    const paid = await fetch(`${session.url}/pay`, { method: 'POST', redirect: 'manual' });
    assert.equal(paid.headers.get('location'), `http://parley.test/back?session=${session.id}`);
    const seen = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['line_items', 'subscription.latest_invoice.payments.data.payment.payment_intent'],
    });
    assert.deepEqual([seen.status, seen.payment_status, seen.amount_total], ['complete', 'paid', 9_900]);
    assert.equal(seen.line_items?.data[0]?.price?.id, fake.prices.pro.id);
    const subscription = seen.subscription as Stripe.Subscription;
    assert.deepEqual(subscription.metadata, { org_id: 'org-1' });
    const { current_period_start: start, current_period_end: end } = subscription.items.data[0]!;
    assert.ok(end - start >= 28 * 86_400);
    const invoice = subscription.latest_invoice as Stripe.Invoice;
    assert.equal(invoice.parent?.subscription_details?.subscription, subscription.id);
    assert.deepEqual([invoice.number, invoice.status, invoice.total], ['AAAAAAA1-0001', 'paid', 9_900]);
    assert.equal(invoice.customer_name, 'Harbour Bikes');
    const payment = invoice.payments?.data[0]?.payment.payment_intent as Stripe.PaymentIntent;
    assert.equal(payment.amount_received, 9_900);
    const file = await (await fetch(invoice.invoice_pdf!)).arrayBuffer();
    assert.equal((await getDocumentProxy(new Uint8Array(file))).numPages, 1);
    fake.requireKnownRequests();
  });

  it('changes the price through the portal, and bills the difference at once', async () => {
    const subscription = await createSubscription(fake, stripe);
    const configuration = await portalConfiguration(fake, stripe);
    const session = await stripe.billingPortal.sessions.create({
      customer: assertId(subscription.customer),
      configuration: configuration.id,
      return_url: 'http://parley.test/billing',
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: subscription.id,
          items: [{ id: subscription.items.data[0]!.id, price: fake.prices.business.id }],
        },
      },
    });
    const confirmed = await fetch(session.url, { method: 'POST', redirect: 'manual' });
    assert.equal(confirmed.headers.get('location'), 'http://parley.test/billing');
    const changed = await stripe.subscriptions.retrieve(subscription.id);
    assert.equal(changed.items.data[0]?.price.id, fake.prices.business.id);
    const { data: invoices } = await stripe.invoices.list({ subscription: subscription.id });
    assert.deepEqual(
      invoices.map(({ billing_reason: reason, total }) => [reason, total]),
      [
        ['subscription_update', 30_000],
        ['subscription_create', 9_900],
      ],
    );
    fake.requireKnownRequests();
  });

  it('cancels at the end of the period, reactivates, and ends', async () => {
    const { id } = await createSubscription(fake, stripe);
    const cancelled = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    assert.equal(cancelled.cancel_at, cancelled.items.data[0]?.current_period_end);
    const taken = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    assert.equal(taken.cancel_at, null);
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    assert.equal(fake.renew(id), null);
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'canceled');
    assert.equal(fake.events.at(-1)?.type, 'customer.subscription.deleted');
    await assert.rejects(stripe.subscriptions.cancel(id), { statusCode: 404, code: 'resource_missing' });
  });

  it('refunds a part, then the rest, and no more', async () => {
    const { latest_invoice: invoice } = await createSubscription(fake, stripe);
    const { data: payments } = await stripe.invoicePayments.list({ invoice: assertId(invoice) });
    const paymentIntent = assertId(payments[0]?.payment.payment_intent);
    await stripe.refunds.create({ payment_intent: paymentIntent, amount: 900 });
    await stripe.refunds.create({ payment_intent: paymentIntent });
    const { data: charges } = await stripe.charges.list({ payment_intent: paymentIntent });
    assert.deepEqual([charges[0]?.amount_refunded, charges[0]?.refunded], [9_900, true]);
    await assert.rejects(stripe.refunds.create({ payment_intent: paymentIntent }), {
      code: 'charge_already_refunded',
    });
    assert.equal(fake.events.filter(({ type }) => type === 'charge.refunded').length, 2);
  });

  it('settles a delayed payment, and creates its invoice then', async () => {
    const session = await checkout(fake, stripe, 'topup');
    fake.pay(session.id, { isDelayed: true });
    const waiting = await stripe.checkout.sessions.retrieve(session.id);
    assert.deepEqual([waiting.status, waiting.payment_status], ['complete', 'unpaid']);
    fake.settleDelayed(session.id, 'paid');
    const settled = await stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice'] });
    assert.equal(settled.payment_status, 'paid');
    assert.equal((settled.invoice as Stripe.Invoice).status, 'paid');
    assert.equal(fake.events.at(-1)?.type, 'checkout.session.async_payment_succeeded');
  });

  it('expires sessions after their time', async () => {
    const session = await checkout(fake, stripe);
    fake.setTime(new Date(session.expires_at * 1000));
    assert.equal((await stripe.checkout.sessions.retrieve(session.id)).status, 'expired');
    assert.deepEqual(
      fake.events.map(({ type }) => type),
      ['customer.created', 'checkout.session.expired'],
    );
  });

  it('signs its events so that the SDK verifies them, and records deliveries that the receiver refuses', async () => {
    const receiver = await receive((body, signature) => {
      const event = stripe.webhooks.constructEvent(body, signature, fake.webhookSecret);
      return event.type;
    });
    fake.deliveries.urls = [receiver.url];
    const [event] = (await checkout(fake, stripe), fake.events);
    await fake.deliveries.waitUntilSettled();
    assert.deepEqual(receiver.heard, ['customer.created']);
    const sendDeliveries = async (options: Parameters<typeof fake.deliveries.send>[1]) =>
      (await fake.deliveries.send(event!, options)).map(({ status }) => status);
    assert.deepEqual(await sendDeliveries({ times: 3 }), [200, 200, 200]);
    assert.deepEqual(await sendDeliveries({ secrets: ['whsec_old', fake.webhookSecret] }), [200]);
    assert.deepEqual(await sendDeliveries({ isReserialized: true }), [401]);
    assert.deepEqual(await sendDeliveries({ ageSeconds: 301 }), [401]);
    assert.deepEqual(await sendDeliveries({ secrets: ['whsec_other'] }), [401]);
    assert.equal(fake.deliveries.failures.length, 3);
    await receiver.stop();
  });

  it('returns the first response for a key, and refuses the key for other parameters', async () => {
    const options = { idempotencyKey: 'parley/customer/1' };
    const first = await stripe.customers.create({ name: 'Ada' }, options);
    assert.equal((await stripe.customers.create({ name: 'Ada' }, options)).id, first.id);
    await assert.rejects(stripe.customers.create({ name: 'Bob' }, options), {
      type: 'StripeIdempotencyError',
    });
    assert.equal(fake.account.list('customer').length, 1);
  });

  it('takes effect once if a response is lost', async () => {
    fake.faults.loseResponses(1);
    await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'lost', maxNetworkRetries: 2 });
    assert.equal(fake.account.list('customer').length, 1);
    fake.faults.makeUnavailable();
    await assert.rejects(stripe.customers.list(), { type: 'StripeConnectionError' });
    fake.faults.clear();
    fake.faults.failNext(500, 1);
    await assert.rejects(stripe.customers.list(), { statusCode: 500 });
    assert.equal((await stripe.customers.list()).data.length, 1);
  });

  it('refuses unknown values, other keys, and operations that a restricted key may not call', async () => {
    const wrong = { mode: 'subscribe', success_url: 'http://parley.test' } as never;
    await assert.rejects(stripe.checkout.sessions.create(wrong), { statusCode: 400 });
    assert.throws(() => fake.requireKnownRequests(), /mode=subscribe/);
    await assert.rejects(createStripeClient(fake, 'sk_test_other').customers.list(), { statusCode: 401 });
    const restricted = createStripeClient(fake, RESTRICTED_KEY);
    assert.deepEqual((await restricted.prices.list({ limit: 1 })).data.length, 1);
    await assert.rejects(restricted.events.list(), { type: 'StripePermissionError' });
  });
});

/** Asserts that a reference to an object of Stripe is only its id, not the expanded object; returns the id. */
function assertId(reference: string | object | null | undefined): string {
  assert.ok(typeof reference === 'string');
  return reference;
}

function createStripeClient(fake: FakeStripe, key = fake.secretKey): Stripe {
  return new Stripe(key, { ...fake.sdkConfig, maxNetworkRetries: 0, telemetry: false });
}

async function checkout(fake: FakeStripe, stripe: Stripe, price: 'pro' | 'topup' = 'pro') {
  const { id: customer } = await stripe.customers.create({ name: 'Harbour Bikes' });
  const isTopup = price === 'topup';
  return stripe.checkout.sessions.create({
    mode: isTopup ? 'payment' : 'subscription',
    customer,
    line_items: [{ price: fake.prices[price].id, quantity: 1 }],
    success_url: 'http://parley.test/back?session={CHECKOUT_SESSION_ID}',
    ...(isTopup
      ? { invoice_creation: { enabled: true } }
      : { subscription_data: { metadata: { org_id: 'org-1' } } }),
  });
}

async function createSubscription(fake: FakeStripe, stripe: Stripe): Promise<Stripe.Subscription> {
  const { subscription } = fake.pay((await checkout(fake, stripe)).id);
  return stripe.subscriptions.retrieve(subscription!);
}

function portalConfiguration(fake: FakeStripe, stripe: Stripe) {
  const { pro, business } = fake.prices;
  return stripe.billingPortal.configurations.create({
    features: {
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        proration_behavior: 'always_invoice',
        products: [pro, business].map(({ id, product }) => ({ product, prices: [id] })),
      },
    },
  });
}

async function receive(verify: (body: string, signature: string) => string) {
  const heard: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      heard.push(verify(await text(request), String(request.headers['stripe-signature'])));
      response.end();
    } catch {
      response.writeHead(401).end();
    }
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { heard, stop, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events` };
}
