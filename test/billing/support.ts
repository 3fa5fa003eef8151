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

/** A workspace that pays for itself, with the API key and session of its owner. */
export interface TestPayer extends TestOrg {
  session: ApiClient;
}

/**
 * Starts a fake Stripe and a Parley that sells plans through it around the tests of a suite. Fails a test
 * whose requests are not in Stripe's API.
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

/** Builds a workspace with a plan of this tier, which the operator has not granted. */
export async function buildPayer(parley: SharedParley, planTier: PlanTier = 'free'): Promise<TestPayer> {
  const org = await parley.buildOrg();
  await parley.database.repository(Org).update(org.orgId, { planTier });
  return { ...org, session: (await parley.signIn(org)).client };
}

/** Returns the id that the fake Stripe gave to the session of a payment or portal page. */
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

/** Reads a payer's subscriptions from the payment provider and stores them, as the workflows do. */
export function sync({ database, runtime }: TestParley, { orgId }: { orgId: string }): Promise<boolean> {
  return runtime.services.billing.billingSync.run({ db: database, orgId });
}

/** Builds a workspace that has paid for a plan of this tier at the fake Stripe. */
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
