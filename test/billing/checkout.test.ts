import assert from 'node:assert/strict';
import { Checkout } from '../../entities/billing/checkout.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { newId } from '../../core/ids.ts';
import { setPlan } from '../../scripts/cli/set-plan.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import type { TestParley } from '../support/parley.ts';
import type { FakeStripe } from '../support/stripe/fake-stripe.ts';
import { describeWithStripe } from '../support/stripe/stripe-mock.ts';
import { buildChild } from '../team/support.ts';
import {
  buildPayer,
  buildPaying,
  buy,
  parseSessionId,
  readSubscription,
  sync,
  useSelling,
} from './support.ts';
import { findOpened } from '../support/find-opened.ts';

const PATH = '/api/billing/checkout';

describeWithStripe('checkouts:', () => {
  let stripe: FakeStripe;
  let parley: TestParley;
  useSelling((...begun) => ([stripe, parley] = begun));

  const openSessions = (orgId: string) =>
    stripe.account
      .list('checkout.session')
      .filter((each) => each.client_reference_id === orgId && each.status === 'open');

  it('createCheckout returns a page for a tier at the server’s price, valid for an hour, and getSubscription shows the page', async () => {
    const payer = await buildPayer(parley);
    const before = Date.now();
    const checkout = await buy(payer, 'pro');
    const session = stripe.account.get('checkout.session', parseSessionId(checkout));
    const [line] = stripe.account.orders.get(session.id)!.lines;
    assert.deepEqual(
      [session.mode, line!.price.id, line!.quantity, session.client_reference_id, session.metadata],
      [
        'subscription',
        'price_pro',
        1,
        payer.orgId,
        { org_id: payer.orgId, checkout_id: checkout.id, tier: 'pro' },
      ],
    );
    assert.deepEqual([checkout.tier, checkout.quantity, checkout.url], ['pro', 1, session.url]);
    const madeAt = Date.parse(checkout.expires_at!) - 3_600_000;
    assert.ok(madeAt > before - 1000 && madeAt <= Date.now(), String(madeAt - before));
    assert.deepEqual((await readSubscription(payer)).checkout, {
      tier: 'pro',
      expires_at: checkout.expires_at,
    });
    const commands = await findOpened(parley.database, OutboxRow, { where: { orgId: payer.orgId } });
    assert.deepEqual(
      commands.map(({ name, payload }) => [name, payload['workflowId']]),
      [['checkout', `checkout/${checkout.id}`]],
    );
  });

  it('createCheckout derives the provider’s idempotency keys from its row', async () => {
    const payer = await buildPayer(parley);
    const { id } = await buy(payer, 'starter');
    const keys = stripe.requests
      .filter(({ method, body }) => method === 'POST' && body.includes(payer.orgId))
      .map(({ path, headers }) => [path, headers['idempotency-key']]);
    assert.deepEqual(keys, [
      ['/v1/customers', `parley/customer/${payer.orgId}/0`],
      ['/v1/checkout/sessions', `parley/checkout/${id}`],
    ]);
  });

  it('createCheckout returns the open page of the same tier again, and expires the open page of another tier', async () => {
    const payer = await buildPayer(parley);
    const first = await buy(payer, 'pro');
    assert.deepEqual(await buy(payer, 'pro'), first);
    const other = await buy(payer, 'business');
    assert.notEqual(other.id, first.id);
    assert.equal(stripe.account.get('checkout.session', parseSessionId(first)).status, 'expired');
    assert.deepEqual(
      openSessions(payer.orgId).map(({ id }) => id),
      [parseSessionId(other)],
    );
    assert.equal(
      stripe.account.list('customer').filter(({ metadata }) => metadata['org_id'] === payer.orgId).length,
      1,
    );
  });

  itInSoak(
    'createCheckout creates one page and one customer for twenty concurrent requests at two processes',
    async () => {
      const payer = await buildPayer(parley);
      const another = await parley.startAnother();
      const { accessToken } = await parley.signIn(payer);
      const clients = [parley.client(accessToken), another.client(accessToken)];
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => clients[index % 2]!.post(PATH, { tier: 'pro' })),
      );
      assert.deepEqual([...new Set(responses.map(formatOutcome))], ['201']);
      assert.equal(new Set(responses.map(({ body }) => body.url)).size, 1);
      assert.equal(openSessions(payer.orgId).length, 1);
      assert.equal(
        stripe.account.list('customer').filter(({ metadata }) => metadata['org_id'] === payer.orgId).length,
        1,
      );
    },
  );

  itInSoak(
    'createCheckout returns the same page after a lost response of the provider, and after a crash',
    async () => {
      const payer = await buildPayer(parley);
      const first = await buy(payer, 'pro');
      // Restore the database's state after a crash before the process stored the provider's response.
      await parley.database
        .repository(Checkout)
        .update(first.id, { state: 'preparing', sessionId: null, url: null });
      assert.deepEqual(await buy(payer, 'pro'), first);
      const other = await buildPayer(parley);
      await buy(other, 'topup', 3);
      stripe.faults.loseResponses(1, /checkout/);
      const checkout = await buy(other, 'business');
      assert.equal(openSessions(other.orgId).filter(({ mode }) => mode === 'subscription').length, 1);
      assert.equal(openSessions(other.orgId).at(-1)!.id, parseSessionId(checkout));
    },
  );

  it('createCheckout returns the first response to a repeated idempotency key', async () => {
    const payer = await buildPayer(parley);
    const headers = { 'idempotency-key': newId() };
    const first = await payer.session.post(PATH, { tier: 'topup', quantity: 2 }, headers);
    stripe.faults.makeUnavailable();
    const again = await payer.session.post(PATH, { tier: 'topup', quantity: 2 }, headers);
    assert.deepEqual([again.status, again.body], [201, first.body]);
  });

  it('createCheckout sells units of a top-up, with an invoice', async () => {
    const payer = await buildPayer(parley);
    const checkout = await buy(payer, 'topup', 3);
    assert.deepEqual([checkout.tier, checkout.quantity], ['topup', 3]);
    const session = stripe.account.get('checkout.session', parseSessionId(checkout));
    assert.deepEqual(
      [session.mode, session.amount_total, session.invoice_creation],
      ['payment', 4500, { enabled: true }],
    );
    assert.equal((await readSubscription(payer)).checkout, null);
  });

  const refused: [title: string, request: object, field: string][] = [
    ['an unknown tier', { tier: 'gold' }, 'tier'],
    ['free', { tier: 'free' }, 'tier'],
    ['enterprise, which only operators grant', { tier: 'enterprise' }, 'tier'],
    ['several units of a tier', { tier: 'pro', quantity: 2 }, 'quantity'],
    ['zero units', { tier: 'topup', quantity: 0 }, 'quantity'],
    ['101 units', { tier: 'topup', quantity: 101 }, 'quantity'],
    ['a price of the caller', { tier: 'pro', price_id: 'price_cheap' }, 'price_id'],
    ['an amount of the caller', { tier: 'pro', amount_cents: 1 }, 'amount_cents'],
  ];
  for (const [title, request, field] of refused)
    it(`createCheckout refuses ${title} and names ${field}`, async () => {
      const payer = await buildPayer(parley);
      const { status, problem } = await payer.session.post(PATH, request);
      assert.equal(status, 422);
      assert.deepEqual(
        problem.details.map((detail) => detail.field),
        [field],
      );
      assert.equal(await parley.database.repository(Checkout).countBy({ orgId: payer.orgId }), 0);
    });

  it('createCheckout requires a signed-in owner', async () => {
    const payer = await buildPayer(parley);
    assert.equal(formatOutcome(await payer.client.post(PATH, { tier: 'pro' })), '403 forbidden');
    const admin = await parley.buildOrg({ role: 'admin', orgId: payer.orgId });
    const { client } = await parley.signIn(admin);
    assert.equal(formatOutcome(await client.post(PATH, { tier: 'pro' })), '403 forbidden');
  });

  it('createCheckout refuses a workspace that another workspace pays for, and reveals nothing about the payer', async () => {
    const payer = await buildPaying(parley, stripe);
    const child = await buildChild(payer.session, payer.orgId);
    const { client } = await parley.signIn(await parley.buildOrg({ orgId: child.id }));
    const refusal = await client.post(PATH, { tier: 'pro' });
    assert.equal(formatOutcome(refusal), '409 conflict');
    assert.doesNotMatch(JSON.stringify(refusal.body), new RegExp(`${payer.orgId}|Acme|pro`));
  });

  it('createCheckout refuses the current tier', async () => {
    const payer = await buildPaying(parley, stripe, 'pro');
    const refusal = await payer.session.post(PATH, { tier: 'pro' });
    assert.equal(formatOutcome(refusal), '409 conflict');
    assert.equal(refusal.problem.error.message, 'The workspace already has the plan pro.');
  });

  itInSoak('createCheckout refuses a tier that was just paid for, before its event arrives', async () => {
    const payer = await buildPayer(parley);
    stripe.pay(parseSessionId(await buy(payer, 'starter')));
    assert.equal(formatOutcome(await payer.session.post(PATH, { tier: 'starter' })), '409 conflict');
    assert.equal((await readSubscription(payer)).tier, 'starter');
  });

  itInSoak(
    'createCheckout returns 503 with Retry-After while the provider is down, and keeps the tier',
    async () => {
      const payer = await buildPaying(parley, stripe);
      stripe.faults.makeUnavailable();
      const refusal = await payer.session.post(PATH, { tier: 'business' });
      assert.equal(formatOutcome(refusal), '503 not_ready');
      assert.ok(Number(refusal.headers.get('retry-after')) > 0);
      assert.equal((await readSubscription(payer)).tier, 'pro');
      stripe.faults.clear();
      assert.equal((await payer.session.post(PATH, { tier: 'business' })).status, 201);
    },
  );

  it('createCheckout sends a subscriber to a page that shows the cost of another plan, and leaves one subscription', async () => {
    const payer = await buildPaying(parley, stripe, 'starter');
    const checkout = await buy(payer, 'business');
    assert.equal(checkout.expires_at, null);
    const session = stripe.account.get('billing_portal.session', parseSessionId(checkout));
    assert.equal(session.flow?.type, 'subscription_update_confirm');
    assert.deepEqual((await readSubscription(payer)).tier, 'starter');
    stripe.confirmPortal(session.id);
    await sync(parley, payer);
    const { tier, status, checkout: open } = await readSubscription(payer);
    assert.deepEqual([tier, status, open], ['business', 'active', null]);
    assert.equal(
      stripe.account.list('subscription').filter(({ customer }) => customer === payer.customerId).length,
      1,
    );
  });

  it('createCheckout of a tier replaces the operator’s grant once the tier is paid, until the next grant', async () => {
    const payer = await buildPayer(parley, 'enterprise');
    const readTier = async () => (await readSubscription(payer)).tier;
    const session = parseSessionId(await buy(payer, 'pro'));
    await sync(parley, payer);
    assert.equal(await readTier(), 'enterprise');
    stripe.pay(session);
    await sync(parley, payer);
    assert.equal(await readTier(), 'pro');
    await setPlan(parley.runtime.settings, { name: payer.orgId, tier: 'business' }, () => {});
    await sync(parley, payer);
    assert.equal(await readTier(), 'business');
  });

  it('createCheckout of the same tier reactivates a canceled subscription at once, without a payment', async () => {
    const payer = await buildPaying(parley, stripe, 'pro');
    const cancelled = await payer.session.post('/api/billing/subscription/cancel');
    assert.equal(cancelled.body.renews_at, null);
    const invoices = stripe.account.list('invoice').length;
    const checkout = await buy(payer, 'pro');
    assert.equal(checkout.expires_at, null);
    assert.match(checkout.url, /\/console#\/billing\?workspace=.+&checkout=.+&outcome=done$/);
    assert.equal(stripe.account.get('subscription', payer.subscriptionId).cancel_at_period_end, false);
    const { ends_at: endsAt, renews_at: renewsAt, period_end: periodEnd } = await readSubscription(payer);
    assert.deepEqual([endsAt, renewsAt], [null, periodEnd]);
    assert.equal(stripe.account.list('invoice').length, invoices);
  });

  it('createCheckout of another tier reactivates a canceled subscription on confirmation, and not when its page opens', async () => {
    const payer = await buildPaying(parley, stripe, 'pro');
    await payer.session.post('/api/billing/subscription/cancel');
    const checkout = await buy(payer, 'starter');
    await sync(parley, payer);
    const before = await readSubscription(payer);
    assert.deepEqual([before.tier, before.renews_at, before.ends_at], ['pro', null, before.period_end]);
    stripe.confirmPortal(parseSessionId(checkout));
    await sync(parley, payer);
    const after = await readSubscription(payer);
    assert.deepEqual([after.tier, after.renews_at, after.ends_at], ['starter', after.period_end, null]);
    assert.equal(stripe.account.get('subscription', payer.subscriptionId).cancel_at_period_end, false);
  });

  it('createCheckout leaves one subscription if two owners pay concurrently: the other subscription is ended and refunded', async () => {
    const payer = await buildPayer(parley);
    const first = parseSessionId(await buy(payer, 'pro'));
    const paid = stripe.pay(first);
    const second = stripe.subscribe(paid.customer!, 'business');
    await sync(parley, payer);
    const { tier, status } = await readSubscription(payer);
    assert.deepEqual([tier, status], ['pro', 'active']);
    assert.equal(stripe.account.get('subscription', second.id).status, 'canceled');
    assert.equal(stripe.account.get('subscription', paid.subscription!).status, 'active');
    const charges = stripe.account.list('charge').filter(({ customer }) => customer === paid.customer);
    assert.deepEqual(charges.map(({ amount, amount_refunded }) => [amount, amount_refunded]).toSorted(), [
      [39_900, 39_900],
      [9900, 0],
    ]);
    const { body } = await payer.client.get('/api/billing/receipts');
    assert.deepEqual(
      body.map(({ amount_cents, status: paidStatus }) => [amount_cents, paidStatus]).toSorted(),
      [
        [39_900, 'refunded'],
        [9900, 'paid'],
      ],
    );
    await sync(parley, payer);
    assert.equal(stripe.account.list('refund').filter(({ amount }) => amount === 39_900).length, 1);
  });
});
