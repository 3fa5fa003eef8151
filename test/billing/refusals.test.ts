import assert from 'node:assert/strict';
import { createPaymentProvider } from '../../adapters/billing/create-payment-provider.ts';
import { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import { Customers, isCustomer } from '../../services/billing/customers.service.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { FakeStripe } from '../support/stripe/fake-stripe.ts';
import { describeWithStripe } from '../support/stripe/stripe-mock.ts';
import { buildPaying, buy, sessionIdOf, subscriptionOf, sync } from './support.ts';

const MANY = 1000;

describeWithStripe('what the payment provider refuses', () => {
  let stripe: FakeStripe;
  let parley: TestParley;
  before(async () => {
    stripe = await FakeStripe.start();
    parley = await startParley(stripe.env);
  });
  afterEach(() => {
    stripe.faults.heal();
    stripe.requireKnownRequests();
  });
  after(async () => {
    await parley.stop();
    await stripe.stop();
  });

  it('saveBillingProfile: a refused profile stops nothing else, and the next one is tried', async () => {
    const payer = await buildPaying(parley, stripe);
    const session = sessionIdOf(await buy(payer, 'topup', 1));
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
    assert.equal((await subscriptionOf(payer)).topup_credits_left, 1000);
    const { body } = await payer.client.get('/api/billing/profile');
    assert.equal(body.tax_id_status, 'rejected');
    assert.equal((await payer.session.post('/api/billing/subscription/cancel')).status, 200);
    stripe.faults.heal();
    await save('Taken');
    await sync(parley, payer);
    assert.equal(stripe.account.get('customer', payer.customerId).name, 'Taken');
  });

  it('saveBillingProfile: what was saved last is what the provider has, whoever comes last', async () => {
    const payer = await buildPaying(parley, stripe);
    const client = OutboundClient.trusted({ userAgent: 'Parley/test' });
    const clients = { trusted: client, guarded: client };
    const provider = (await createPaymentProvider(parley.runtime.settings, clients)) ?? assert.fail();
    const scope = { db: parley.database, orgId: payer.orgId };
    const accounts = new BillingAccountRepository();
    await payer.session.put('/api/billing/profile', { legal_name: 'Old' });
    const stale = await accounts.find(scope.db, scope.orgId);
    await payer.session.put('/api/billing/profile', { legal_name: 'New' });
    await sync(parley, payer);
    assert.ok(isCustomer(stale));
    await new Customers({ accounts, log: parley.runtime.log }).followProfile(scope, stale, provider);
    assert.equal(stripe.account.get('customer', payer.customerId).name, 'New');
  });
});
