import assert from 'node:assert/strict';
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

const PATH = '/api/billing/subscription/cancel';

describeWithStripe('cancellations:', () => {
  let stripe: FakeStripe;
  let parley: TestParley;
  useSelling((...begun) => ([stripe, parley] = begun));

  it('cancelSubscription ends the subscription and the tier at the end of the paid period', async () => {
    const payer = await buildPaying(parley, stripe, 'pro');
    const { status, body } = await payer.session.post(PATH);
    assert.equal(status, 200);
    assert.deepEqual(
      [body.tier, body.status, body.renews_at, body.ends_at],
      ['pro', 'active', null, body.period_end],
    );
    assert.equal(stripe.account.get('subscription', payer.subscriptionId).cancel_at_period_end, true);
    assert.equal(stripe.renew(payer.subscriptionId), null);
    await sync(parley, payer);
    const after = await readSubscription(payer);
    assert.deepEqual([after.tier, after.status, after.renews_at], ['free', 'ended', null]);
  });

  itInSoak(
    'cancelSubscription returns 200 when repeated, and changes the subscription at the provider once',
    async () => {
      const payer = await buildPaying(parley, stripe);
      const first = await payer.session.post(PATH);
      const updates = stripe.requests.length;
      const again = await payer.session.post(PATH);
      assert.equal(again.status, 200);
      assert.deepEqual({ ...again.body, synced_at: null }, { ...first.body, synced_at: null });
      assert.deepEqual(
        stripe.requests.slice(updates).filter(({ method }) => method !== 'GET'),
        [],
      );
    },
  );

  itInSoak('cancelSubscription sets ends_at again after each reactivation', async () => {
    const payer = await buildPaying(parley, stripe, 'pro');
    for (let round = 1; round <= 3; round += 1) {
      assert.notEqual((await payer.session.post(PATH)).body.ends_at, null);
      await buy(payer, 'pro');
      assert.equal((await readSubscription(payer)).ends_at, null);
    }
  });

  it('cancelSubscription expires the open page of a plan change', async () => {
    const payer = await buildPaying(parley, stripe, 'pro');
    const change = await buy(payer, 'starter');
    await payer.session.post(PATH);
    stripe.confirmPortal(parseSessionId(change));
    await sync(parley, payer);
    const { tier, ends_at: endsAt, period_end: periodEnd } = await readSubscription(payer);
    assert.deepEqual([tier, endsAt], ['starter', periodEnd]);
  });

  it('cancelSubscription returns 409 without a subscription, after its end, and for a workspace that another workspace pays for', async () => {
    const payer = await buildPayer(parley);
    assert.equal(formatOutcome(await payer.session.post(PATH)), '409 conflict');
    const former = await buildPaying(parley, stripe);
    stripe.endSubscription(former.subscriptionId);
    assert.equal(formatOutcome(await former.session.post(PATH)), '409 conflict');
    const paying = await buildPaying(parley, stripe);
    const child = await buildChild(paying.session, paying.orgId);
    const { client } = await parley.signIn(await parley.buildOrg({ orgId: child.id }));
    assert.equal(formatOutcome(await client.post(PATH)), '409 conflict');
    assert.equal(stripe.account.get('subscription', paying.subscriptionId).cancel_at_period_end, false);
  });

  it('cancelSubscription returns 503 with Retry-After while the provider is down, and changes nothing', async () => {
    const payer = await buildPaying(parley, stripe);
    stripe.faults.makeUnavailable();
    const refusal = await payer.session.post(PATH);
    assert.equal(formatOutcome(refusal), '503 not_ready');
    assert.ok(Number(refusal.headers.get('retry-after')) > 0);
    stripe.faults.clear();
    assert.equal((await readSubscription(payer)).ends_at, null);
  });

  it('cancelSubscription requires a signed-in owner', async () => {
    const payer = await buildPaying(parley, stripe);
    const admin = await parley.buildOrg({ role: 'admin', orgId: payer.orgId });
    const { client } = await parley.signIn(admin);
    assert.equal(formatOutcome(await client.post(PATH)), '403 forbidden');
    assert.equal(formatOutcome(await payer.client.post(PATH)), '403 forbidden');
  });
});
