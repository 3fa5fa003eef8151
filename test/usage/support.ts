import { planTiers, type Limits, type PlanTier } from '../../core/billing/plans.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { startParley, type StartOptions, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';

/** Settings by which all plans but `enterprise` have these limits. */
export function limitedPlans(limits: Partial<Limits>): Record<string, string> {
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
  env: Record<string, string> = {},
  options: StartOptions = {},
): Promise<TestParley> {
  return startParley({ ...limitedPlans(limits), ...env }, options);
}

/** Changes the plan of a payer and of all that it pays for. */
export async function setTier({ database }: TestParley, payerId: string, planTier: PlanTier): Promise<void> {
  await database.repository(Org).update({ payerId }, { planTier });
}

/** An active bot of a workspace whose plan is `free`. */
export async function buildPlannedBot(parley: TestParley, overrides: object = {}) {
  const built = await buildActiveBot(parley, { rate_limit_per_minute: 600, ...overrides });
  await setTier(parley, built.orgId, 'free');
  return built;
}
