import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProviderRefused, ProviderUnavailable } from '../../../adapters/billing/payment-provider.ts';
import { StripePayments } from '../../../adapters/billing/stripe-payments.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';

interface ScriptedAnswer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

describe('StripePayments:', () => {
  const client = OutboundClient.createTrusted({ userAgent: 'Tests' });
  let server: Server;
  let payments: StripePayments;
  let answer: ScriptedAnswer;
  let requestCount = 0;
  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      requestCount += 1;
      const { status, body, headers } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    payments = new StripePayments({
      secretKey: 'sk_test_1',
      apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      webhookSecrets: [],
      tierPriceIds: ['price_pro', 'price_starter'],
      timeoutMs: 5000,
      hasTax: false,
      trusted: client,
      guarded: client,
    });
  });
  after(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });

  const waits: [header: string, waitMs: number | undefined][] = [
    ['7', 7000],
    ['9'.repeat(400), 3_600_000],
    ['99999999', 3_600_000],
    ['-5', undefined],
  ];
  for (const [header, waitMs] of waits)
    it(`hasCustomer sets retryAfterMs to ${waitMs} for a Retry-After of ${header.slice(0, 12)}`, async () => {
      const headers = { 'retry-after': header, 'stripe-should-retry': 'false' };
      answer = { status: 429, body: { error: { message: 'Slow down.' } }, headers };
      await assert.rejects(payments.hasCustomer('cus_1'), (error) => {
        assert.ok(error instanceof ProviderUnavailable);
        assert.equal(error.retryAfterMs, waitMs);
        return true;
      });
    });

  it('hasCustomer throws at most 300 characters of Stripe’s message, without characters that PostgreSQL cannot store', async () => {
    const message = `No\u0000 ${'x'.repeat(1_000_000)}`;
    answer = { status: 400, body: { error: { type: 'invalid_request_error', message } } };
    await assert.rejects(payments.hasCustomer('cus_1'), (error) => {
      assert.ok(error instanceof ProviderRefused);
      assert.equal(error.message, `No ${'x'.repeat(296)}`);
      return true;
    });
  });

  const excesses: Record<string, unknown> = {
    '300,000 numbers': Array.from({ length: 300_000 }, () => 0),
    '20,000 keys': Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 0])),
    '9 MB': 'x'.repeat(9_000_000),
  };
  for (const [what, metadata] of Object.entries(excesses))
    it(`hasCustomer throws ProviderUnavailable for a response with ${what}`, async () => {
      answer = { status: 200, body: { id: 'cus_1', metadata } };
      await assert.rejects(payments.hasCustomer('cus_1'), ProviderUnavailable);
    });

  it('hasCustomer accepts a response with 100,000 numbers', async () => {
    answer = { status: 200, body: { id: 'cus_1', metadata: Array.from({ length: 100_000 }, () => 0) } };
    assert.equal(await payments.hasCustomer('cus_1'), true);
  });

  const charge = { id: 'ch_1', payment_intent: 'pi_1', status: 'succeeded', amount: 5, amount_refunded: 0 };
  const endless: [what: string, data: object[], expected: { pages: number; charges: number }][] = [
    ['one charge', [charge], { pages: 20, charges: 20 }],
    ['nothing', [], { pages: 1, charges: 0 }],
  ];
  for (const [what, data, expected] of endless)
    it(`listCharges ends at page ${expected.pages} if every page has ${what} and has_more is true`, async () => {
      answer = { status: 200, body: { object: 'list', data, has_more: true } };
      requestCount = 0;
      const charges = await payments.listCharges('cus_1');
      assert.deepEqual({ pages: requestCount, charges: charges.length }, expected);
    });

  const plan = {
    id: 'si_plan',
    created: 1_790_000_000,
    price: { id: 'price_pro' },
    current_period_start: 1_790_000_000,
    current_period_end: 1_792_592_000,
  };
  const addOn = {
    id: 'si_addon',
    created: 1_790_000_100,
    price: { id: 'price_support' },
    current_period_start: 1_790_000_100,
    current_period_end: 1_821_536_100,
  };
  const former = { ...plan, price: { id: 'price_former' } };
  const itemLists: [what: string, items: object[], priceId: string][] = [
    ['the plan and a yearly add-on', [plan, addOn], 'price_pro'],
    ['a yearly add-on, listed first, and the plan', [addOn, plan], 'price_pro'],
    ['an older add-on and the plan', [{ ...addOn, created: 1_700_000_000 }, plan], 'price_pro'],
    ['an add-on and a plan whose price is no longer configured', [addOn, former], 'price_former'],
  ];
  for (const [what, data, priceId] of itemLists)
    for (const isEnding of [false, true])
      it(`getSubscription returns the period of the plan for ${what}${isEnding ? ', and endsAt if it is canceled at the end of the period' : ''}`, async () => {
        const subscription = {
          id: 'sub_1',
          status: 'active',
          items: { object: 'list', data, has_more: false },
          ended_at: null,
          cancel_at: null,
          cancel_at_period_end: isEnding,
          metadata: {},
        };
        answer = { status: 200, body: subscription };
        const periodEnd = new Date(1_792_592_000_000);
        assert.deepEqual(await payments.getSubscription('sub_1'), {
          id: 'sub_1',
          state: 'active',
          priceId,
          itemId: 'si_plan',
          periodStart: new Date(1_790_000_000_000),
          periodEnd,
          endsAt: isEnding ? periodEnd : null,
          tier: null,
          orgId: null,
        });
      });

  it('listInvoices truncates texts, and removes characters that PostgreSQL cannot store', async () => {
    const long = `A\u0000${'x'.repeat(100_000)}`;
    const invoice = {
      id: 'in_1',
      number: long,
      created: 1_790_000_000,
      status_transitions: { finalized_at: 1_790_000_000 },
      total: 100,
      currency: 'eur',
      description: long,
      customer_name: long,
      customer_address: { line1: long },
      customer_tax_ids: [{ type: 'eu_vat', value: long }],
    };
    answer = { status: 200, body: { object: 'list', data: [invoice], has_more: false } };
    const [read] = await payments.listInvoices('cus_1');
    const { number, description, addressee } = read!;
    const text = `A${'x'.repeat(298)}`;
    assert.deepEqual([number, description], ['in_1', `A${'x'.repeat(498)}`]);
    assert.deepEqual([addressee.legal_name, addressee.address_line1, addressee.tax_id], [text, text, text]);
  });
});
