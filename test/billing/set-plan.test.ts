import assert from 'node:assert/strict';
import { Org } from '../../entities/team/org.entity.ts';
import { setPlan } from '../../scripts/cli/set-plan.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildChild } from '../team/support.ts';
import { buildPayer, readSubscription } from './support.ts';

describe('set-plan', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  const runSetPlan = async (name: string, tier: string) => {
    const said: string[] = [];
    await setPlan(parley.runtime.settings, { name, tier }, (line) => said.push(line));
    return said;
  };

  it('grants a plan to a workspace and all below it, by slug or id, until the grant is removed', async () => {
    const payer = await buildPayer(parley);
    const child = await buildChild(payer.session, payer.orgId);
    const readPlanTier = async (orgId: string) =>
      (await payer.session.get(`/api/orgs/${orgId}`)).body.plan_tier;
    const { slug } = await parley.database.repository(Org).findOneByOrFail({ id: payer.orgId });
    assert.deepEqual(await runSetPlan(slug, 'business'), [
      `Acme (${slug}) and all workspaces below it have the plan business.`,
    ]);
    assert.deepEqual(
      [await readPlanTier(payer.orgId), await readPlanTier(child.id)],
      ['business', 'business'],
    );
    assert.equal((await readSubscription(payer)).tier, 'business');
    await runSetPlan(payer.orgId, 'none');
    assert.deepEqual([await readPlanTier(payer.orgId), await readPlanTier(child.id)], ['free', 'free']);
  });

  it('fails with a message for an unknown name, an unknown tier, and a workspace below another workspace', async () => {
    const payer = await buildPayer(parley);
    const child = await buildChild(payer.session, payer.orgId);
    await assert.rejects(runSetPlan('nobody', 'pro'), /There is no workspace "nobody"/);
    await assert.rejects(
      runSetPlan(payer.orgId, 'gold'),
      /There is no plan "gold"\. Available plans: free, starter, pro/,
    );
    await assert.rejects(runSetPlan(child.id, 'pro'), /has the plan of Acme; set the plan of "acme-/);
  });
});
