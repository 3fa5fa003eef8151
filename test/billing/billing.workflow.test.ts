import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import type { TestOrg } from '../support/parley.ts';
import { FakeStripe } from '../support/stripe/fake-stripe.ts';
import { describeWithStripe } from '../support/stripe/stripe-mock.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { buildPayer, buy, parseSessionId, readSubscription, type TestPayer } from './support.ts';

describeWithStripe('billing workflows:', () => {
  let stripe: FakeStripe;
  let parley: TestParleyWithWorker;
  before(async () => {
    stripe = await FakeStripe.start();
    parley = await startParleyWithWorker(stripe.env);
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

  const readPlan = async (org: TestOrg): Promise<string[]> => {
    const { tier, status } = await readSubscription(org);
    return [tier, status];
  };
  const readReceipts = async ({ client }: TestOrg) => (await client.get('/api/billing/receipts')).body;
  const waitForResult = (workflowId: string) => parley.temporal.workflow.getHandle(workflowId).result();

  async function buildPaying(tier: string): Promise<TestPayer & { subscriptionId: string }> {
    const payer = await buildPayer(parley);
    const { subscription } = stripe.pay(parseSessionId(await buy(payer, tier)));
    await waitUntilEqual(() => readPlan(payer), [tier, 'active']);
    return { ...payer, subscriptionId: subscription! };
  }

  it('a paid checkout gives its tier to the workspace and those below it, and a receipt with its file', async () => {
    const payer = await buildPayer(parley);
    const { status, body: child } = await payer.session.post(`/api/orgs/${payer.orgId}/children`, {
      name: 'Shop',
    });
    assert.equal(status, 201);
    const checkout = await buy(payer, 'business');
    stripe.pay(parseSessionId(checkout));
    assert.equal(await waitForResult(`checkout/${checkout.id}`), 'completed');
    assert.deepEqual(await readPlan(payer), ['business', 'active']);
    assert.equal((await payer.session.get(`/api/orgs/${child.id}`)).body.plan_tier, 'business');
    await waitUntilEqual(
      async () =>
        (await readReceipts(payer)).map(({ amount_cents, is_file_ready }) => [amount_cents, is_file_ready]),
      [[39_900, true]],
    );
    const [{ id } = assert.fail()] = await readReceipts(payer);
    const pdfs = stripe.requests.filter(({ path }) => path.endsWith('/pdf')).length;
    const response = await payer.client.fetch(`/api/billing/receipts/${id}/download`);
    assert.equal((await response.text()).startsWith('%PDF-'), true);
    assert.equal(stripe.requests.filter(({ path }) => path.endsWith('/pdf')).length, pdfs);
  });

  itInSoak('a paid top-up is credited once, however often the provider sends its event', async () => {
    const payer = await buildPayer(parley);
    const checkout = await buy(payer, 'topup', 2);
    stripe.pay(parseSessionId(checkout));
    assert.equal(await waitForResult(`checkout/${checkout.id}`), 'completed');
    assert.equal((await readSubscription(payer)).topup_credits_left, 2000);
    await stripe.deliveries.waitUntilSettled();
    for (const event of stripe.events.slice(-12)) await stripe.deliveries.send(event, { times: 3 });
    await waitUntilEqual(
      async () => (await readReceipts(payer)).map(({ is_file_ready }) => is_file_ready),
      [true],
    );
    assert.equal((await readSubscription(payer)).topup_credits_left, 2000);
  });

  itInSoak('an outage of the provider delays syncs but keeps events and the tier', async () => {
    const payer = await buildPaying('pro');
    stripe.faults.makeUnavailable();
    stripe.failRenewal(payer.subscriptionId);
    stripe.leaveUnpaid(payer.subscriptionId);
    await stripe.deliveries.waitUntilSettled();
    assert.deepEqual(stripe.deliveries.failures, []);
    const handle = parley.temporal.workflow.getHandle(`billing/${payer.orgId}`);
    await waitUntil(async () => {
      const { raw } = await handle.describe();
      return (raw.pendingActivities?.[0]?.attempt ?? 0) > 1;
    }, 'the workflow to try again');
    assert.deepEqual(await readPlan(payer), ['pro', 'active']);
    stripe.faults.clear();
    await waitUntilEqual(() => readPlan(payer), ['free', 'ended']);
  });

  itInSoak('receipts whose files cannot be fetched delay nothing else, and are fetched later', async () => {
    const payer = await buildPayer(parley);
    stripe.faults.failsPdfDownloads = true;
    stripe.pay(parseSessionId(await buy(payer, 'starter')));
    await waitUntilEqual(
      async () => [
        ...(await readPlan(payer)),
        ...(await readReceipts(payer)).map((each) => each.is_file_ready),
      ],
      ['starter', 'active', false],
    );
    stripe.faults.failsPdfDownloads = false;
    await waitUntilEqual(async () => (await readReceipts(payer)).map((each) => each.is_file_ready), [true]);
  });

  itInSoak('a profile is sent to the provider, whose check of the tax id is read back', async () => {
    const payer = await buildPaying('starter');
    await payer.session.put('/api/billing/profile', { tax_id: 'DE000000000', tax_id_type: 'eu_vat' });
    await waitUntilEqual(
      async () => (await payer.client.get('/api/billing/profile')).body.tax_id_status,
      'verified',
    );
  });

  itInSoak('the sweep syncs changes without an event', async () => {
    const payer = await buildPaying('pro');
    await waitForResult(`billing/${payer.orgId}`);
    stripe.deliveries.isHeld = true;
    stripe.endSubscription(payer.subscriptionId);
    await parley.database
      .repository(BillingAccount)
      .update({ orgId: payer.orgId }, { syncedAt: new Date(Date.now() - 3_600_000) });
    await parley.runtime.services.billing.billingSweep.run(parley.database);
    await waitUntilEqual(() => readPlan(payer), ['free', 'ended']);
    stripe.deliveries.held.length = 0;
    stripe.deliveries.isHeld = false;
  });

  it('a deleted workspace first ends its subscription, once the provider is reachable', async () => {
    const payer = await buildPaying('pro');
    await waitUntilEqual(async () => (await readReceipts(payer)).map((each) => each.is_file_ready), [true]);
    const files = join(parley.runtime.settings.home, 'files', payer.orgId);
    assert.equal(existsSync(files), true);
    const open = parseSessionId(await buy(payer, 'topup'));
    stripe.faults.makeUnavailable();
    assert.equal((await payer.session.delete(`/api/orgs/${payer.orgId}`)).status, 202);
    const handle = parley.temporal.workflow.getHandle(`delete-org/${payer.orgId}`);
    await waitUntil(async () => {
      const { raw } = await handle.describe().catch(() => ({ raw: { pendingActivities: [] } }));
      return (raw.pendingActivities?.[0]?.attempt ?? 0) > 1;
    }, 'the workflow to try again');
    assert.equal(existsSync(files), true);
    assert.equal(stripe.account.get('subscription', payer.subscriptionId).status, 'active');
    stripe.faults.clear();
    await handle.result();
    assert.equal(stripe.account.get('subscription', payer.subscriptionId).status, 'canceled');
    assert.equal(stripe.account.get('checkout.session', open).status, 'expired');
    assert.equal(existsSync(files), false);
    assert.equal(await parley.database.repository(BillingAccount).countBy({ orgId: payer.orgId }), 0);
  });
});
