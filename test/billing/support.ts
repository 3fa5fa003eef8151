import assert from 'node:assert/strict';
import { Org } from '../../entities/team/org.entity.ts';
import type { PlanTier } from '../../core/billing/plans.ts';
import {
  startParley,
  type ApiClient,
  type SharedParley,
  type TestOrg,
  type TestParley,
} from '../support/parley.ts';
import { FakeStripe } from '../support/stripe/fake-stripe.ts';

/** A workspace that pays for itself, with its owner's key and session. */
export interface TestPayer extends TestOrg {
  session: ApiClient;
}

/**
 * Starts a fake Stripe and a Parley that sells through it around the tests of a suite. Fails a
 * test whose requests are not in Stripe's API.
 */
export function useSelling(begin: (stripe: FakeStripe, parley: TestParley) => void): void {
  let stripe: FakeStripe;
  let parley: TestParley;
  before(async () => {
    stripe = await FakeStripe.start();
    parley = await startParley(stripe.env);
    begin(stripe, parley);
  });
  afterEach(() => {
    stripe.faults.clear();
    stripe.requireKnownRequests();
  });
  after(async () => {
    await parley.stop();
    await stripe.stop();
  });
}

/** Builds a workspace of the tier, without a grant of the operator. */
export async function buildPayer(parley: SharedParley, planTier: PlanTier = 'free'): Promise<TestPayer> {
  const org = await parley.buildOrg();
  await parley.database.repository(Org).update(org.orgId, { planTier });
  return { ...org, session: (await parley.signIn(org)).client };
}

/** Id at the fake of the Checkout or portal session of a page. */
export function parseSessionId({ url }: { url: string }): string {
  return new URL(url).pathname.split('/').at(-1)!;
}

/** Creates a checkout. */
export async function buy({ session }: TestPayer, tier: string, quantity?: number) {
  const request = { tier, ...(quantity !== undefined && { quantity }) };
  const { status, body } = await session.post('/api/billing/checkout', request);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Syncs a payer with the provider, as the workflows do. */
export function sync({ database, runtime }: TestParley, { orgId }: { orgId: string }): Promise<boolean> {
  return runtime.services.billing.billingSync.run({ db: database, orgId });
}

/** Builds a payer of the tier, paid at the fake. */
export async function buildPaying(
  parley: TestParley,
  stripe: FakeStripe,
  tier = 'pro',
): Promise<TestPayer & { customerId: string; subscriptionId: string }> {
  const payer = await buildPayer(parley);
  const paid = stripe.pay(parseSessionId(await buy(payer, tier)));
  await sync(parley, payer);
  return { ...payer, customerId: paid.customer ?? '', subscriptionId: paid.subscription ?? '' };
}

export async function readSubscription({ client }: TestOrg) {
  const { status, body } = await client.get('/api/billing/subscription');
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
