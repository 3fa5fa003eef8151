import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../core/ids.ts';
import { Checkout } from '../../entities/billing/checkout.entity.ts';
import { Receipt } from '../../entities/billing/receipt.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { FakeStripe } from '../support/stripe/fake-stripe.ts';
import { describeWithStripe } from '../support/stripe/stripe-mock.ts';
import { buildChild } from '../team/support.ts';
import { buildPayer, buildPaying, buy, parseSessionId, readSubscription, sync } from './support.ts';

const PATH = '/api/billing/receipts';

describeWithStripe('receipts and top-ups:', () => {
  let stripe: FakeStripe;
  let parley: TestParley;
  before(async () => {
    stripe = await FakeStripe.start();
    parley = await startParley({ ...stripe.env, PARLEY_STRIPE_TAX: 'true' });
  });
  afterEach(() => {
    stripe.faults.clear();
    stripe.account.taxPercent = 0;
    stripe.requireKnownRequests();
  });
  after(async () => {
    await parley.stop();
    await stripe.stop();
  });

  const listReceiptPage = async ({ client }: TestOrg, query = '') => {
    const { status, body } = await client.get(`${PATH}${query}` as typeof PATH);
    assert.equal(status, 200);
    return body;
  };
  const store = ({ orgId }: TestOrg) =>
    parley.runtime.services.billing.receiptFiles.store({ db: parley.database, orgId });
  const readCreditsLeft = async (org: TestOrg) => (await readSubscription(org)).topup_credits_left;
  const readCheckoutState = async ({ orgId }: TestOrg) =>
    (await parley.database.repository(Checkout).findOneByOrFail({ orgId })).state;
  const findPayment = (sessionId: string) =>
    stripe.account
      .list('charge')
      .find(
        ({ payment_intent: id }) => id === stripe.account.get('checkout.session', sessionId).payment_intent,
      )!;

  it('listReceipts shows payments, with the tax and the addressee of the day of the payment', async () => {
    stripe.account.taxPercent = 20;
    const payer = await buildPayer(parley);
    const profile = {
      legal_name: 'Acme Bakery, Lda.',
      billing_email: 'accounts@acme.example',
      address_line1: 'Rua Nova 12',
      address_line2: '',
      city: 'Lisbon',
      country_code: 'PT',
      postal_code: '1100-150',
      state_code: '',
      tax_id: 'PT501442600',
      tax_id_type: 'eu_vat',
    };
    await payer.session.put('/api/billing/profile', profile);
    stripe.pay(parseSessionId(await buy(payer, 'pro')));
    await sync(parley, payer);
    await payer.session.put('/api/billing/profile', { ...profile, legal_name: 'Somebody else' });
    await sync(parley, payer);
    const [{ id, number, issued_at: issuedAt, ...receipt } = assert.fail()] = await listReceiptPage(payer);
    assert.deepEqual(receipt, {
      amount_cents: 11_880,
      tax_cents: 1980,
      currency: 'usd',
      status: 'paid',
      description: '1 × Pro',
      addressee: profile,
      is_file_ready: false,
    });
    assert.match(number, /-0001$/);
    assert.ok(Math.abs(Date.parse(issuedAt) - Date.now()) < 60_000);
    assert.ok(id);
  });

  it('downloadReceipt returns 409 until the file is stored, which is fetched once and never changes', async () => {
    const payer = await buildPaying(parley, stripe);
    const [{ id } = assert.fail()] = await listReceiptPage(payer);
    const path = `${PATH}/${id}/download` as const;
    const early = await payer.client.get(path);
    assert.equal(formatOutcome(early), '409 conflict');
    assert.equal(early.headers.get('retry-after'), '60');
    assert.deepEqual([await store(payer), await store(payer)], [1, 0]);
    stripe.faults.makeUnavailable();
    const response = await payer.client.fetch(path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/pdf');
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename=".*-0001\.pdf"$/);
    const file = Buffer.from(await response.arrayBuffer());
    assert.equal(file.subarray(0, 5).toString(), '%PDF-');
    const { sha256 } = await parley.database.repository(Receipt).findOneByOrFail({ id });
    assert.equal(createHash('sha256').update(file).digest('hex'), sha256);
    assert.equal((await listReceiptPage(payer))[0]!.is_file_ready, true);
  });

  it('downloadReceipt refetches a file that storage has lost', async () => {
    const payer = await buildPaying(parley, stripe);
    const [{ id } = assert.fail()] = await listReceiptPage(payer);
    await store(payer);
    await rm(join(parley.runtime.settings.home, 'files', payer.orgId), { recursive: true });
    const path = `${PATH}/${id}/download` as const;
    assert.equal(formatOutcome(await payer.client.get(path)), '409 conflict');
    assert.equal((await listReceiptPage(payer))[0]!.is_file_ready, false);
    assert.equal(await store(payer), 1);
    assert.equal((await payer.client.fetch(path)).status, 200);
  });

  it('listReceipts pages by receipt, newest first', async () => {
    const payer = await buildPaying(parley, stripe);
    stripe.setTime(new Date(Date.now() + 40 * 86_400_000));
    stripe.renew(payer.subscriptionId);
    stripe.setTime(new Date(Date.now() + 70 * 86_400_000));
    stripe.renew(payer.subscriptionId);
    stripe.setTime(new Date());
    await sync(parley, payer);
    const all = await listReceiptPage(payer);
    assert.deepEqual(
      all.map(({ number }) => number.slice(-4)),
      ['0003', '0002', '0001'],
    );
    assert.deepEqual(await listReceiptPage(payer, '?limit=1'), all.slice(0, 1));
    assert.deepEqual(await listReceiptPage(payer, `?limit=1&before=${all[0]!.id}`), all.slice(1, 2));
    assert.deepEqual(await listReceiptPage(payer, `?before=${all[2]!.id}`), []);
  });

  it('listReceipts and downloadReceipt separate workspaces, and return nothing to workspaces below', async () => {
    const [payer, other] = [await buildPaying(parley, stripe), await buildPaying(parley, stripe)];
    const [{ id } = assert.fail()] = await listReceiptPage(other);
    assert.equal(formatOutcome(await payer.client.get(`${PATH}/${id}/download`)), '403 forbidden');
    assert.equal(formatOutcome(await payer.client.get(`${PATH}?before=${id}`)), '403 forbidden');
    assert.equal(formatOutcome(await payer.client.get(`${PATH}/${newId()}/download`)), '404 not_found');
    assert.equal(formatOutcome(await payer.client.get(`${PATH}?before=${newId()}`)), '404 not_found');
    const child = await buildChild(payer.session, payer.orgId);
    const below = await parley.buildOrg({ orgId: child.id });
    const [{ id: own } = assert.fail()] = await listReceiptPage(payer);
    assert.deepEqual(await listReceiptPage(below), []);
    assert.equal(formatOutcome(await below.client.get(`${PATH}/${own}/download`)), '403 forbidden');
  });

  it('getSubscription counts a top-up once, after its payment', async () => {
    const payer = await buildPayer(parley);
    const session = parseSessionId(await buy(payer, 'topup', 3));
    stripe.failPayment(session);
    await sync(parley, payer);
    assert.equal(await readCreditsLeft(payer), 0);
    stripe.pay(session);
    await Promise.all(Array.from({ length: 5 }, () => sync(parley, payer)));
    assert.equal(await readCreditsLeft(payer), 3000);
    assert.deepEqual(
      (await listReceiptPage(payer)).map(({ amount_cents, status }) => [amount_cents, status]),
      [[4500, 'paid']],
    );
  });

  itInSoak('getSubscription counts no top-up whose delayed payment is pending or fails', async () => {
    const payer = await buildPayer(parley);
    const [first, second] = [
      parseSessionId(await buy(payer, 'topup', 1)),
      parseSessionId(await buy(payer, 'topup', 2)),
    ];
    for (const session of [first, second]) stripe.pay(session, { isDelayed: true });
    await sync(parley, payer);
    assert.equal(await readCreditsLeft(payer), 0);
    stripe.settleDelayed(first, 'failed');
    stripe.settleDelayed(second, 'paid');
    await sync(parley, payer);
    assert.equal(await readCreditsLeft(payer), 2000);
  });

  itInSoak(
    'getSubscription counts a top-up that is paid by bank debit after a card was declined',
    async () => {
      const payer = await buildPayer(parley);
      const session = parseSessionId(await buy(payer, 'topup', 1));
      stripe.failPayment(session);
      stripe.pay(session, { isDelayed: true });
      await sync(parley, payer);
      assert.equal(await readCheckoutState(payer), 'paying');
      stripe.settleDelayed(session, 'paid');
      await sync(parley, payer);
      assert.deepEqual([await readCheckoutState(payer), await readCreditsLeft(payer)], ['completed', 1000]);
    },
  );

  itInSoak('getSubscription counts a top-up whose failed payment succeeds later', async () => {
    const payer = await buildPayer(parley);
    const session = parseSessionId(await buy(payer, 'topup', 1));
    stripe.pay(session, { isDelayed: true });
    stripe.settleDelayed(session, 'failed');
    await sync(parley, payer);
    assert.equal(await readCheckoutState(payer), 'failed');
    stripe.settleDelayed(session, 'paid');
    await sync(parley, payer);
    assert.deepEqual([await readCheckoutState(payer), await readCreditsLeft(payer)], ['completed', 1000]);
  });

  itInSoak('getSubscription subtracts the part of refunded credits that is still unused', async () => {
    const payer = await buildPayer(parley);
    const session = parseSessionId(await buy(payer, 'topup', 3));
    stripe.pay(session);
    await sync(parley, payer);
    stripe.refund(findPayment(session).id, 1500);
    await sync(parley, payer);
    await sync(parley, payer);
    assert.equal(await readCreditsLeft(payer), 2000);
    assert.equal((await listReceiptPage(payer))[0]!.status, 'paid');
    // Change the balance as if conversations had used up credits.
    await parley.database.sql('UPDATE billing_accounts SET credits_left = 300 WHERE org_id = $1', [
      payer.orgId,
    ]);
    stripe.refund(findPayment(session).id);
    await sync(parley, payer);
    assert.equal(await readCreditsLeft(payer), 0);
    assert.equal((await listReceiptPage(payer))[0]!.status, 'refunded');
  });

  it('saveBillingProfile reaches the provider, whose check of the tax id is shown', async () => {
    const payer = await buildPaying(parley, stripe);
    const save = async (taxId: string, type = 'eu_vat') => {
      const profile = { legal_name: 'Acme', city: 'Lisbon', tax_id: taxId, tax_id_type: type };
      const saved = await payer.session.put('/api/billing/profile', profile);
      assert.equal(saved.status, 200);
      // Sync twice: the payment provider checks a tax id only after storing the id.
      for (const _ of [1, 2]) await sync(parley, payer);
      return [saved.body.tax_id_status, (await payer.client.get('/api/billing/profile')).body.tax_id_status];
    };
    assert.deepEqual(await save('DE000000000'), ['pending', 'verified']);
    assert.deepEqual(await save('DE111111111'), ['pending', 'rejected']);
    assert.deepEqual(await save('nonsense!'), ['pending', 'rejected']);
    assert.deepEqual(await save('PT501442600'), ['pending', 'pending']);
    const [taxId] = stripe.account.list('tax_id').filter(({ customer }) => customer === payer.customerId);
    stripe.verifyTaxId(taxId!.id, 'verified');
    await sync(parley, payer);
    const { body } = await payer.client.get('/api/billing/profile');
    assert.equal(body.tax_id_status, 'verified');
    const customer = stripe.account.get('customer', payer.customerId);
    assert.deepEqual([customer.name, customer.address?.city], ['Acme', 'Lisbon']);
    assert.deepEqual(await save('', ''), ['none', 'none']);
    assert.deepEqual(
      stripe.account.list('tax_id').filter(({ customer: id }) => id === payer.customerId),
      [],
    );
  });
});
