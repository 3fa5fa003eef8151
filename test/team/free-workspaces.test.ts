import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import type { PlanTier } from '../../core/billing/plans.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { MAX_CREATED_A_DAY, MAX_FREE_HIERARCHY, MAX_FREE_OWNED } from '../../services/team/org-service.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type ApiClient, type TestParley } from '../support/parley.ts';
import { buildChild, signInAs } from './support.ts';

describe('workspaces without a plan:', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
  });
  after(() => parley.stop());

  const createOrg = (session: ApiClient) => session.post('/api/orgs', { name: 'Acme Bakery' });
  const listFreeOrgs = async (session: ApiClient) =>
    (await session.get('/api/orgs')).body.filter(({ plan_tier }) => plan_tier === 'free');
  const setTier = (payerId: string, planTier: PlanTier) =>
    parley.database.repository(Org).update({ payerId }, { planTier });

  it(`createOrg allows ${MAX_FREE_OWNED} per account, and explains why it refuses more`, async () => {
    const { session } = await signInAs(parley);
    const created = await Promise.all(Array.from({ length: MAX_FREE_OWNED + 3 }, () => createOrg(session)));
    assert.deepEqual(created.map(formatOutcome).toSorted(), [
      ...Array.from({ length: MAX_FREE_OWNED }, () => '201'),
      ...Array.from({ length: 3 }, () => '402 quota_exceeded'),
    ]);
    assert.equal((await listFreeOrgs(session)).length, MAX_FREE_OWNED);
    assert.match(
      JSON.stringify((await createOrg(session)).body),
      /below another workspace, delete a workspace/,
    );
  });

  it('createOrg does not count workspaces with a plan, deleted workspaces and those of other accounts', async () => {
    const { session } = await signInAs(parley);
    for (let count = 0; count < MAX_FREE_OWNED; count += 1)
      assert.equal((await createOrg(session)).status, 201);
    const [first, second] = await listFreeOrgs(session);
    await setTier(first!.id, 'pro');
    assert.equal((await createOrg(session)).status, 201);
    assert.equal((await createOrg(session)).status, 402);
    assert.equal((await session.delete(`/api/orgs/${second!.id}`)).status, 202);
    assert.equal((await createOrg(session)).status, 201);
    assert.equal((await createOrg((await signInAs(parley)).session)).status, 201);
  });

  it(`createOrg allows ${MAX_CREATED_A_DAY} a day per account, including deleted workspaces`, async () => {
    const { session } = await signInAs(parley);
    for (let count = 0; count < MAX_CREATED_A_DAY; count += 1) {
      const { body } = await createOrg(session);
      assert.equal((await session.delete(`/api/orgs/${body.id}`)).status, 202);
    }
    const refused = await createOrg(session);
    assert.deepEqual(
      [formatOutcome(refused), refused.headers.get('retry-after')],
      ['429 rate_limited', '86400'],
    );
    assert.equal((await listFreeOrgs(session)).length, 0);
    await parley.passTime(86_400);
    // Sign in again, because the session has expired.
    const again = await parley.signIn({ userId: (await readMe(session)).id });
    assert.equal((await createOrg(again.client)).status, 201);
  });

  it(`createChildOrg allows ${MAX_FREE_HIERARCHY} in a hierarchy without a plan, and any number in a hierarchy with a plan`, async () => {
    const { client, orgId } = await signInAs(parley);
    const rows = Array.from({ length: MAX_FREE_HIERARCHY - 2 }, () => {
      const id = newId();
      return { id, payerId: orgId, parentOrgId: orgId, name: 'Branch', slug: `branch-${id}` };
    });
    await parley.database.repository(Org).insert(rows);
    await setTier(orgId, 'free');
    const path = `/api/orgs/${orgId}/children` as const;
    const made = await Promise.all([0, 1, 2].map(() => client.post(path, { name: 'Branch' })));
    assert.deepEqual(made.map(formatOutcome).toSorted(), ['201', '402 quota_exceeded', '402 quota_exceeded']);
    const below = made.find(({ status }) => status === 201)!.body;
    assert.equal(
      formatOutcome(await client.post(`/api/orgs/${below.id}/children`, { name: 'Branch' })),
      '402 quota_exceeded',
    );
    await setTier(orgId, 'starter');
    await buildChild(client, orgId);
  });

  it('a hierarchy shares the rate limit of its root workspace', async () => {
    const strict = await parley.startAnother({ rateLimitPerMinute: 3 });
    const { client, orgId } = await signInAs(parley);
    const child = await buildChild(client, orgId);
    const createKey = async (id: string) => (await parley.buildOrg({ orgId: id })).key;
    const callers = [await createKey(orgId), await createKey(child.id)].map((key) => strict.client(key));
    const callWithAll = async () => {
      const statuses: number[] = [];
      for (let round = 0; round < 3; round += 1)
        for (const caller of callers) statuses.push((await caller.get('/api/bots')).status);
      return statuses;
    };
    await parley.passTime(60);
    assert.deepEqual(await callWithAll(), [200, 200, 200, 200, 200, 200]);
    await setTier(orgId, 'free');
    await parley.passTime(60);
    assert.deepEqual(await callWithAll(), [200, 200, 200, 429, 429, 429]);
    await strict.stop();
  });

  const readMe = async (session: ApiClient) => (await session.get('/api/auth/me')).body.user!;
});
