import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import {
  buildPayer,
  buildPaying,
  buy,
  parseSessionId,
  readSubscription,
  type TestPayer,
} from '../billing/support.ts';
import { startApiProcess } from '../support/api-process.ts';
import { createClient } from '../support/api-client.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { FakeStripe } from '../support/stripe/fake-stripe.ts';
import type { HeldMoment } from '../support/stripe/faults.ts';
import { describeWithStripe, type ApiRequest } from '../support/stripe/stripe-mock.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { buildTemporalEnv, useSuccessor, WorkerProcess } from '../support/worker.ts';

/** Requests to Stripe while Parley processes a checkout, by the beginning of their path. */
const ASKED = {
  session: '/v1/checkout/sessions/',
  subscriptions: '/v1/subscriptions?',
  invoices: '/v1/invoices?',
  charges: '/v1/charges?',
} as const;
const moments: readonly HeldMoment[] = ['request', 'response'];

describeWithStripe('billing, if its process is killed,', () => {
  let stripe: FakeStripe;
  let parley: TestParley;
  before(async () => {
    stripe = await FakeStripe.start();
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000', ...stripe.env });
    stripe.deliveries.urls = [`${parley.baseUrl}/api/billing/provider-events`];
  });
  afterEach(() => {
    stripe.faults.clear();
    stripe.requireKnownRequests();
  });
  after(async () => {
    stripe.deliveries.urls = [];
    await parley.stop();
    await stripe.stop();
  });
  const followedByAnother = useSuccessor(() => parley);

  const findBillingAccount = ({ orgId }: TestPayer) =>
    parley.database.repository(BillingAccount).findOneByOrFail({ orgId });
  const listReceipts = async ({ client }: TestPayer) => (await client.get('/api/billing/receipts')).body;
  const filterByCustomer = <Kept extends { customer: string | null }>(all: Kept[], id: string | null) =>
    all.filter(({ customer }) => customer === id);

  /**
   * Kills a worker once all requests that the test delays hang; then answers the requests and starts another
   * worker.
   */
  async function killHangingWorker(
    begin: () => unknown,
    areOthersHeld = () => Promise.resolve(),
  ): Promise<void> {
    const doomed = new WorkerProcess(parley.runtime.settings, stripe.env);
    await begin();
    await waitUntil(() => stripe.faults.areHoldsReached, 'the provider to be waited for');
    await areOthersHeld();
    await doomed.end('SIGKILL');
    stripe.faults.clear();
  }

  for (const product of ['pro', 'topup'])
    it(`during a checkout of ${product}, grants the product exactly once, with one receipt`, async () => {
      const asked = Object.entries(ASKED);
      const payers = await Promise.all([...asked, 'file', 'record'].map(() => buildPayer(parley)));
      const [ofFile, ofRecord] = payers.slice(-2) as [TestPayer, TestPayer];
      const sessions = await Promise.all(
        payers.map(async (payer) => parseSessionId(await buy(payer, product))),
      );
      for (const [index, [, path]] of asked.entries()) {
        const { customerId } = await findBillingAccount(payers[index]!);
        stripe.faults.hold(
          'request',
          (request) =>
            request.path.startsWith(path) &&
            (request.path.includes(sessions[index]!) || request.path.includes(customerId!)),
        );
      }
      const { customerId: customerOfFile } = await findBillingAccount(ofFile);
      const isOfFile = ({ path }: ApiRequest) =>
        filterByCustomer(stripe.account.list('invoice'), customerOfFile).some(
          ({ invoice_pdf: url }) => url?.endsWith(path) ?? false,
        );
      stripe.faults.hold('request', isOfFile);
      // Lock the billing account: the worker needs it to record the receipt, which is its last step.
      await parley.database.transaction(async (db) => {
        await db.sql('SELECT FROM billing_accounts WHERE org_id = $1 FOR UPDATE', [ofRecord.orgId]);
        await killHangingWorker(
          () => sessions.forEach((id) => stripe.pay(id)),
          () => waitUntilBlocked(parley.database, 'the record'),
        );
      });
      await followedByAnother();
      for (const payer of payers) {
        await waitUntilEqual(
          async () => (await listReceipts(payer)).map(({ status, is_file_ready }) => [status, is_file_ready]),
          [['paid', true]],
        );
        const { tier, topup_credits_left: credits, checkout } = await readSubscription(payer);
        assert.deepEqual(
          [tier, credits, checkout],
          product === 'pro' ? ['pro', 0, null] : ['free', 1000, null],
        );
      }
    });

  it('while a second subscription is being ended, ends and refunds this subscription exactly once', async () => {
    const payers = await Promise.all(
      ['DELETE', 'POST'].flatMap((method) =>
        moments.map(async (moment) => ({ method, moment, ...(await buildPaying(parley, stripe)) })),
      ),
    );
    const seconds: string[] = [];
    await killHangingWorker(() => {
      for (const { method, moment, customerId } of payers) {
        const { id } = stripe.subscribe(customerId, 'business');
        seconds.push(id);
        const chargeOfIt = filterByCustomer(stripe.account.list('charge'), customerId).at(-1)!;
        stripe.faults.hold(moment, (request) =>
          method === 'DELETE'
            ? request.method === 'DELETE' && request.path.includes(id)
            : request.path === '/v1/refunds' && request.body.includes(String(chargeOfIt.payment_intent)),
        );
      }
    });
    await followedByAnother();
    for (const [index, { customerId, subscriptionId, ...payer }] of payers.entries()) {
      await waitUntilEqual(
        async () =>
          (await listReceipts(payer)).map(({ amount_cents, status }) => [amount_cents, status]).toSorted(),
        [
          [39_900, 'refunded'],
          [9900, 'paid'],
        ],
      );
      assert.equal(stripe.account.get('subscription', seconds[index]!).status, 'canceled');
      assert.equal(stripe.account.get('subscription', subscriptionId).status, 'active');
      const charges = filterByCustomer(stripe.account.list('charge'), customerId);
      assert.deepEqual(charges.map((charge) => charge.amount_refunded).toSorted(), [0, 39_900]);
      assert.equal((await readSubscription(payer)).tier, 'pro');
    }
  });

  it('while the subscription of a deleted workspace is being ended, ends the subscription and deletes the workspace', async () => {
    const payers = await Promise.all(
      moments.map(async (moment) => ({ moment, ...(await buildPaying(parley, stripe)) })),
    );
    for (const { moment, subscriptionId } of payers)
      stripe.faults.hold(moment, ({ method, path }) => method === 'DELETE' && path.includes(subscriptionId));
    await killHangingWorker(async () => {
      for (const { session, orgId } of payers)
        assert.equal((await session.delete(`/api/orgs/${orgId}`)).status, 202);
    });
    await followedByAnother();
    for (const { orgId, subscriptionId } of payers) {
      await waitUntilEqual(() => parley.database.repository(BillingAccount).countBy({ orgId }), 0);
      assert.equal(stripe.account.get('subscription', subscriptionId).status, 'canceled');
    }
  });

  it('during createCheckout, creates one customer and one session, which the retry returns', async () => {
    const paths = ['/v1/customers', '/v1/checkout/sessions'];
    for (const path of paths)
      for (const moment of moments) {
        const payer = await buildPayer(parley);
        stripe.faults.hold(
          moment,
          (request) =>
            request.method === 'POST' && request.path === path && request.body.includes(payer.orgId),
        );
        const doomed = await startApiProcess(parley.runtime.settings);
        const headers = { 'idempotency-key': newId() };
        const order = { tier: 'starter' };
        const { accessToken } = await parley.signIn(payer);
        const lost = assert.rejects(
          createClient(doomed.baseUrl, accessToken).post('/api/billing/checkout', order, headers),
        );
        await waitUntil(() => stripe.faults.areHoldsReached, `the ${moment} of ${path}`);
        await doomed.stop('SIGKILL');
        await lost;
        stripe.faults.clear();
        const { status, body } = await payer.session.post('/api/billing/checkout', order, headers);
        assert.equal(status, 201, JSON.stringify(body));
        const customers = stripe.account
          .list('customer')
          .filter(({ metadata }) => metadata['org_id'] === payer.orgId);
        const made = stripe.account
          .list('checkout.session')
          .filter(({ customer }) => customers.some(({ id }) => id === customer));
        assert.deepEqual([customers.length, made.map(({ id }) => id)], [1, [parseSessionId(body)]]);
      }
  });
});
