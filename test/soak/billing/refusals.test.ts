import assert from 'node:assert/strict';
import Stripe from 'stripe';
import type { PaymentProvider } from '../../../adapters/billing/payment-provider.ts';
import { Plans } from '../../../core/billing/plans.ts';
import { newId } from '../../../core/ids.ts';
import { BillingAccount } from '../../../entities/billing/billing-account.entity.ts';
import { BillingEvent } from '../../../entities/billing/billing-event.entity.ts';
import { Checkout } from '../../../entities/billing/checkout.entity.ts';
import { Org } from '../../../entities/team/org.entity.ts';
import { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import { OrgRepository } from '../../../repositories/team/org.repository.ts';
import { CheckoutPages } from '../../../services/billing/checkouts/checkout-pages.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { createPaymentProvider } from '../../../adapters/billing/create-payment-provider.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import { Customers, isCustomer } from '../../../services/billing/customers.ts';
import type { TestParley } from '../../support/parley.ts';
import type { FakeStripe } from '../../support/stripe/fake-stripe.ts';
import { describeWithStripe } from '../../support/stripe/stripe-mock.ts';
import {
  buildPayer,
  buildPaying,
  buy,
  parseSessionId,
  readSubscription,
  sync,
  useSelling,
} from '../../billing/support.ts';

const MANY = 1000;

describeWithStripe('refusals of the payment provider:', () => {
  let stripe: FakeStripe;
  let parley: TestParley;
  useSelling((...begun) => ([stripe, parley] = begun));

  it('saveBillingProfile sends the next profile after the provider refused a profile, which delays no top-up or cancellation', async () => {
    const payer = await buildPaying(parley, stripe);
    const session = parseSessionId(await buy(payer, 'topup', 1));
    const save = (name: string) =>
      payer.session.put('/api/billing/profile', {
        legal_name: name,
        tax_id: 'PT501442600',
        tax_id_type: 'eu_vat',
      });
    await save('Refused');
    stripe.faults.failNext(400, MANY, /customers\/cus_[^/]+$/);
    stripe.pay(session);
    await sync(parley, payer);
    assert.equal((await readSubscription(payer)).topup_credits_left, 1000);
    const { body } = await payer.client.get('/api/billing/profile');
    assert.equal(body.tax_id_status, 'none');
    assert.equal((await payer.session.post('/api/billing/subscription/cancel')).status, 200);
    stripe.faults.clear();
    await save('Taken');
    await sync(parley, payer);
    assert.equal(stripe.account.get('customer', payer.customerId).name, 'Taken');
  });

  it('saveBillingProfile leaves the last profile at the provider after concurrent syncs', async () => {
    const payer = await buildPaying(parley, stripe);
    const provider = await createProvider(parley);
    const scope = { db: parley.database, orgId: payer.orgId };
    const accounts = new BillingAccountRepository();
    await payer.session.put('/api/billing/profile', { legal_name: 'Old' });
    const stale = await accounts.find(scope.db, scope.orgId);
    await payer.session.put('/api/billing/profile', { legal_name: 'New' });
    await sync(parley, payer);
    assert.ok(isCustomer(stale));
    await new Customers({ accounts, log: parley.runtime.log }).syncProfile(scope, stale, provider);
    assert.equal(stripe.account.get('customer', payer.customerId).name, 'New');
  });

  it('cancelSubscription returns 200 while the provider refuses a refund, which a later sync retries', async () => {
    const payer = await buildPaying(parley, stripe);
    const other = stripe.subscribe(payer.customerId, 'pro');
    stripe.faults.failNext(400, MANY, /refunds/);
    await sync(parley, payer);
    assert.equal(stripe.account.get('subscription', other.id).status, 'canceled');
    assert.equal((await payer.session.post('/api/billing/subscription/cancel')).status, 200);
    await buy(payer, 'topup', 1);
    stripe.faults.clear();
    await sync(parley, payer);
    const refunds = stripe.account
      .list('charge')
      .filter(({ customer, refunded }) => customer === payer.customerId && refunded);
    assert.equal(refunds.length, 1);
  });

  it('downloadReceipt does not wait for the file of another receipt', async () => {
    const payer = await buildPaying(parley, stripe);
    stripe.renew(payer.subscriptionId);
    await sync(parley, payer);
    const [first] = stripe.account.list('invoice').filter(({ customer }) => customer === payer.customerId);
    stripe.account.change(first!, { invoice_pdf: null });
    const scope = { db: parley.database, orgId: payer.orgId };
    await assert.rejects(parley.runtime.services.billing.receiptFiles.store(scope), {
      name: 'ProviderUnavailable',
    });
    const { body } = await payer.client.get('/api/billing/receipts');
    assert.deepEqual(body.map(({ is_file_ready: isReady }) => isReady).sort(), [false, true]);
  });

  it('getSubscription ignores subscriptions to other products', async () => {
    const payer = await buildPaying(parley, stripe);
    const price = stripe.addPrice('support', 50_000);
    const contract = stripe.subscribe(payer.customerId, price);
    await sync(parley, payer);
    assert.equal(stripe.account.get('subscription', contract.id).status, 'active');
    stripe.endSubscription(payer.subscriptionId);
    await sync(parley, payer);
    const { tier, status } = await readSubscription(payer);
    assert.deepEqual([tier, status], ['free', 'ended']);
    await buy(payer, 'business');
    assert.equal(stripe.account.get('subscription', contract.id).items.data[0]!.price.id, price.id);
    const charges = stripe.account.list('charge').filter(({ customer }) => customer === payer.customerId);
    assert.deepEqual(
      charges.map(({ refunded }) => refunded),
      [false, false],
    );
  });

  it('getSubscription gives no tier before the first payment, and cancelSubscription ends an unpaid subscription', async () => {
    const payer = await buildPayer(parley);
    const session = parseSessionId(await buy(payer, 'business'));
    const { subscription } = stripe.pay(session, { isDelayed: true });
    await sync(parley, payer);
    assert.equal((await readSubscription(payer)).tier, 'free');
    stripe.settleDelayed(session, 'failed');
    await sync(parley, payer);
    assert.equal((await readSubscription(payer)).tier, 'free');
    assert.equal((await payer.session.post('/api/billing/subscription/cancel')).status, 200);
    assert.equal(stripe.account.get('subscription', subscription!).status, 'canceled');
  });

  it('getSubscription gives the tier once a delayed payment has succeeded', async () => {
    const payer = await buildPayer(parley);
    const session = parseSessionId(await buy(payer, 'business'));
    stripe.pay(session, { isDelayed: true });
    await sync(parley, payer);
    stripe.settleDelayed(session, 'paid');
    await sync(parley, payer);
    assert.equal((await readSubscription(payer)).tier, 'business');
  });

  it('cancelSubscription ends a subscription at once if its last payment retry has failed', async () => {
    const payer = await buildPaying(parley, stripe);
    stripe.leaveUnpaid(payer.subscriptionId);
    const { status, body } = await payer.session.post('/api/billing/subscription/cancel');
    assert.deepEqual([status, body.tier, body.status], [200, 'free', 'ended']);
    assert.equal(stripe.account.get('subscription', payer.subscriptionId).status, 'canceled');
  });

  it('createCheckout reactivates a subscription with a fixed end date', async () => {
    const payer = await buildPaying(parley, stripe);
    const subscription = stripe.account.get('subscription', payer.subscriptionId);
    stripe.account.change(subscription, { cancel_at: stripe.account.now + 86_400 });
    await sync(parley, payer);
    assert.notEqual((await readSubscription(payer)).ends_at, null);
    await buy(payer, 'pro');
    assert.deepEqual([(await readSubscription(payer)).ends_at, subscription.cancel_at], [null, null]);
  });

  it('createCheckout creates another customer if the first was deleted at the provider', async () => {
    const payer = await buildPaying(parley, stripe);
    await payer.session.put('/api/billing/profile', { legal_name: 'Acme' });
    const client = new Stripe(stripe.secretKey, stripe.sdkConfig);
    await client.customers.del(payer.customerId);
    const { customer } = stripe.pay(parseSessionId(await buy(payer, 'pro')));
    assert.notEqual(customer, payer.customerId);
    await sync(parley, payer);
    assert.equal((await readSubscription(payer)).tier, 'pro');
    assert.equal(stripe.account.get('customer', customer!).name, 'Acme');
  });

  for (const [what, path] of [
    ['the customer', /customers$/],
    ['the page', /checkout\/sessions$/],
  ] as const)
    it(`createCheckout recovers after the provider failed to create ${what}, and repeats the request with the same key`, async () => {
      const payer = await buildPayer(parley);
      stripe.faults.failNext(500, 1, path);
      assert.equal(
        formatOutcome(await payer.session.post('/api/billing/checkout', { tier: 'pro' })),
        '503 not_ready',
      );
      await buy(payer, 'pro');
    });

  it('createCheckout creates another page if the first attempt had other settings', async () => {
    const payer = await buildPayer(parley);
    stripe.faults.loseResponses(3, /checkout\/sessions$/);
    assert.equal(
      formatOutcome(await payer.session.post('/api/billing/checkout', { tier: 'pro' })),
      '503 not_ready',
    );
    const [row] = await parley.database.repository(Checkout).findBy({ orgId: payer.orgId });
    await parley.database
      .repository(Checkout)
      .update({ id: row!.id }, { expiresAt: new Date(Date.now() + 3_000_000) });
    const { id } = await buy(payer, 'pro');
    assert.notEqual(id, row!.id);
  });

  it('deleteOrg discards a page that is created concurrently, and prevents further pages', async () => {
    const payer = await buildPaying(parley, stripe);
    const scope = { db: parley.database, orgId: payer.orgId };
    const [accounts, checkouts] = [new BillingAccountRepository(), new CheckoutRepository()];
    const { settings } = parley.runtime;
    const row = await checkouts.insert(scope, {
      id: newId(),
      product: 'topup',
      quantity: 1,
      kind: 'session',
      expiresAt: new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000),
      createdById: payer.userId,
    });
    await parley.database.repository(Org).update(payer.orgId, { deletedAt: new Date() });
    const account = await accounts.find(scope.db, scope.orgId);
    assert.ok(isCustomer(account));
    const rows = { checkouts, orgs: new OrgRepository() };
    const pages = new CheckoutPages({ ...rows, plans: new Plans(settings), baseUrl: settings.baseUrl });
    await pages.createPage(scope, row, { account, provider: await createProvider(parley) });
    const made = stripe.account
      .list('checkout.session')
      .findLast(({ customer }) => customer === account.customerId);
    assert.deepEqual([made!.mode, made!.status], ['payment', 'expired']);
    assert.equal((await checkouts.find(scope, row.id))!.state, 'preparing');
    const open = parley.runtime.services.billing.checkouts.open(scope, {
      product: 'topup',
      quantity: 2,
      userId: payer.userId,
    });
    await assert.rejects(open, { code: 'not_found' });
  });

  it('deleteOrg waits for a delayed payment, and refunds it', async () => {
    const payer = await buildPayer(parley);
    const topup = parseSessionId(await buy(payer, 'topup', 1));
    const plan = parseSessionId(await buy(payer, 'pro'));
    for (const session of [topup, plan]) stripe.pay(session, { isDelayed: true });
    await sync(parley, payer);
    await parley.database.repository(Org).update(payer.orgId, { deletedAt: new Date() });
    const leave = () =>
      parley.runtime.services.billing.billingTermination.endBilling({
        db: parley.database,
        orgId: payer.orgId,
      });
    await assert.rejects(leave(), { name: 'ProviderUnavailable' });
    for (const session of [topup, plan]) stripe.settleDelayed(session, 'paid');
    assert.equal(await sync(parley, payer), false);
    await leave();
    await leave();
    const { customer, subscription } = stripe.account.get('checkout.session', plan);
    assert.equal(stripe.account.get('subscription', subscription!).status, 'canceled');
    const charges = stripe.account.list('charge').filter((each) => each.customer === customer);
    assert.deepEqual(
      charges.map(({ refunded }) => refunded),
      [true, true],
    );
  });

  it('the sweep syncs the payer that has waited longest first, and passes on no event of unknown customers', async () => {
    const payer = await buildPaying(parley, stripe);
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      id: `evt_other_${index}`,
      type: 'invoice.paid',
      customerId: `cus_other_${index}`,
      outcome: 'unmatched' as const,
    }));
    for (let at = 0; at < rows.length; at += 1000)
      await parley.database.repository(BillingEvent).insert(rows.slice(at, at + 1000));
    await parley.database.repository(BillingAccount).update(payer.orgId, { syncedAt: new Date(0) });
    const [first] = await new BillingAccountRepository().listDue(parley.database, 1);
    assert.equal(first!.orgId, payer.orgId);
    const begun = Date.now();
    const { accounts, events } = await parley.runtime.services.billing.billingSweep.run(parley.database);
    assert.ok(Date.now() - begun < 10_000);
    assert.deepEqual([accounts > 0, events], [true, 0]);
  });
});

async function createProvider({ runtime }: TestParley): Promise<PaymentProvider> {
  const client = OutboundClient.createTrusted({ userAgent: 'Parley/test' });
  const clients = { trusted: client, guarded: client };
  return (await createPaymentProvider(runtime.settings, clients)) ?? assert.fail();
}
