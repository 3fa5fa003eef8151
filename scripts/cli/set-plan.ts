import { planTiers, type PlanTier } from '../../core/billing/plans.ts';
import { isUuid } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { oneLine } from '../../core/text/safe-text.ts';
import type { Database } from '../../database/database.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import { PayerRepository } from '../../repositories/billing/payer.repository.ts';
import { PlanOverrides } from '../../services/billing/plan-overrides.ts';
import { LaunchError } from '../launcher/launch-error.ts';
import { withAppDatabase } from '../launcher/workspace.ts';

/**
 * Sets the plan of a workspace and its descendants, instead of the plan that the workspace pays for.
 * @param name slug or id of the workspace
 * @param tier name of the plan; `none` removes the override
 * @throws LaunchError if the workspace or tier does not exist, or if another workspace pays for this
 *   workspace
 */
export async function setPlan(
  settings: Settings,
  { name, tier }: { name: string; tier: string },
  report: (line: string) => void,
): Promise<void> {
  const planTier = parseTier(tier);
  await withAppDatabase(settings, async (database) => {
    const org = await findPayingOrg(database, name);
    const overrides = new PlanOverrides({
      accounts: new BillingAccountRepository(),
      payers: new PayerRepository(),
    });
    const effective = await overrides.set(database, org.id, planTier);
    report(oneLine(`${org.name} (${org.slug}) and all workspaces below it have the plan ${effective}.`));
  });
}

function parseTier(text: string): PlanTier | null {
  if (text === 'none') return null;
  const tier = planTiers.find((each) => each === text);
  if (tier) return tier;
  throw new LaunchError(
    `There is no plan "${text}". Available plans: ${planTiers.join(', ')}; none restores the paid plan.`,
  );
}

async function findPayingOrg(database: Database, name: string): Promise<Org> {
  const orgs = database.repository(Org);
  const org = await orgs.findOneBy(isUuid(name) ? { id: name } : { slug: name });
  if (!org) throw new LaunchError(`There is no workspace "${name}". Specify a slug or an id.`);
  if (org.payerId === org.id) return org;
  const payer = await orgs.findOneByOrFail({ id: org.payerId });
  throw new LaunchError(
    oneLine(`${org.name} has the plan of ${payer.name}; set the plan of "${payer.slug}" instead.`),
  );
}
