import { Org } from '../../entities/team/org.entity.ts';
import type { PlanTier } from '../../core/billing/plans.ts';
import type { ApiClient, TestOrg, TestParley } from '../support/parley.ts';

/** A workspace that pays for itself, with its owner's key and session. */
export interface TestPayer extends TestOrg {
  session: ApiClient;
}

/** A workspace of the tier that its operator has not given anything. */
export async function buildPayer(parley: TestParley, planTier: PlanTier = 'free'): Promise<TestPayer> {
  const org = await parley.buildOrg();
  await parley.database.repository(Org).update(org.orgId, { planTier });
  return { ...org, session: (await parley.signIn(org)).client };
}
