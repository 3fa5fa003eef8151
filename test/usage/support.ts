import { planTiers, type Limits, type PlanTier } from '../../core/billing/plans.ts';
import { newId } from '../../core/ids.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { startParley, type SharedParley, type StartOptions, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import type { TestSettings } from '../support/test-settings.ts';

/** Returns settings with which all plans except `enterprise` have these limits. */
export function buildLimitedPlans(limits: Partial<Limits>): TestSettings {
  const open = { messages_per_month: null, documents: null, bots: null, seats: null, alerts_per_month: null };
  const plans = Object.fromEntries(planTiers.map((tier) => [tier, { ...open, ...limits }]));
  return {
    PARLEY_STRIPE_SECRET_KEY: 'rk_test_usage',
    PARLEY_STRIPE_WEBHOOK_SECRET: 'whsec_usage',
    PARLEY_PLANS: JSON.stringify({ ...plans, enterprise: open }),
  };
}

export function startLimited(
  limits: Partial<Limits>,
  env: TestSettings = {},
  options: StartOptions = {},
): Promise<TestParley> {
  return startParley({ ...buildLimitedPlans(limits), ...env }, options);
}

/** Changes the plan of a payer and of all workspaces that it pays for. */
export async function setTier(
  { database }: SharedParley,
  payerId: string,
  planTier: PlanTier,
): Promise<void> {
  await database.repository(Org).update({ payerId }, { planTier });
}

/**
 * Adds usage of a workspace on a day.
 * @param isFolded true to fold it, with all earlier deltas
 */
export async function addUsage(
  { database, runtime }: SharedParley,
  orgId: string,
  used: Partial<UsageDelta>,
  isFolded = false,
): Promise<void> {
  const { payerId } = await database.repository(Org).findOneByOrFail({ id: orgId });
  const row = { botId: null, model: null, ...used, id: newId(), orgId, payerId };
  await database.repository(UsageDelta).insert(row);
  if (isFolded) await runtime.services.usage.usageFold.foldBatch(database);
}

/** Builds a workspace below another workspace. */
export async function buildWorkspaceBelow(
  parley: SharedParley,
  parent: string,
  role: 'owner' | 'viewer' = 'owner',
) {
  const orgs = parley.database.repository(Org);
  const { payerId, planTier } = await orgs.findOneByOrFail({ id: parent });
  const id = newId();
  await orgs.insert({ id, payerId, planTier, parentOrgId: parent, name: 'Below', slug: id });
  return parley.buildOrg({ orgId: id, role });
}

/** Builds an active bot in a workspace whose plan is `free`. */
export async function buildPlannedBot(parley: SharedParley, overrides: object = {}) {
  const built = await buildActiveBot(parley, { rate_limit_per_minute: 600, ...overrides });
  await setTier(parley, built.orgId, 'free');
  return built;
}
