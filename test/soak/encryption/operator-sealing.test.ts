import assert from 'node:assert/strict';
import { OrgEncryption } from '../../../entities/encryption/org-encryption.entity.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { ask, buildSession } from '../../support/widget.ts';
import { buildOwner } from '../../encryption/support.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const AT_ONCE = 20;

describe('beginReseals if the operator encrypts content', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  beforeEach(async () => {
    parley = await startParley({ PARLEY_SEAL_CONTENT: 'true' });
    keys = await startOwnKeys(parley);
  });
  afterEach(async () => {
    await parley.stop();
    await keys.stop();
  });

  const begin = () => parley.runtime.services.encryption.operatorSealing.beginReseals(parley.database);
  const rows = () => parley.database.repository(OrgEncryption);
  const commands = async () => {
    const found = await parley.database.sql<{ id: string }>(
      "SELECT payload->>'workflowId' AS id FROM outbox WHERE kind = 'command' AND payload->>'workflowId' LIKE 'reseal/%'",
    );
    return found.map(({ id }) => id);
  };
  const finish = async (orgId: string) => {
    const { resealing } = parley.runtime.services.encryption;
    const scope = { orgId, db: parley.database };
    await resealing.runSteps(scope, () => false);
    return resealing.finish(scope);
  };

  it('begins with at most twenty workspaces at a time, each once despite concurrent calls', async () => {
    for (let n = 0; n < AT_ONCE + 2; n += 1) await parley.buildOrg();
    const both = await Promise.all([begin(), begin()]);
    assert.ok(both.every(({ begun }) => begun <= AT_ONCE));
    assert.equal(await rows().countBy({ isSealing: true }), AT_ONCE);
    assert.equal(new Set(await commands()).size, AT_ONCE);
    assert.equal((await commands()).length, AT_ONCE);
    assert.deepEqual(await begin(), { begun: 0, left: 2 });

    const { orgId } = await rows().findOneByOrFail({ isSealing: true });
    assert.equal(await finish(orgId), true);
    assert.deepEqual(await begin(), { begun: 1, left: 1 });
  });

  it('skips workspaces with their own key and deleted workspaces', async () => {
    const { orgId, owner } = await buildOwner(parley);
    const own = await parley.buildOrg();
    await keys.seal(own);
    assert.equal((await owner.delete(`/api/orgs/${orgId}`)).status, 202);
    assert.deepEqual(await begin(), { begun: 0, left: 0 });
    assert.deepEqual(await commands(), [`reseal/${own.orgId}`]);
  });

  it('keeps keys with which another process still encrypts, while this process decrypts content', async () => {
    const org = await buildSession(parley);
    const say = async () => (await ask(org.visitor, org.path, { content: 'Anybody?' })).text();
    await say();
    const opening = await parley.startAnother({ sealContent: false });
    const { resealing, operatorSealing } = opening.runtime.services.encryption;
    const scope = { orgId: org.orgId, db: parley.database };
    const walk = async () => {
      await resealing.restart(scope);
      return (await resealing.runSteps(scope, () => false))?.hasFound;
    };
    assert.deepEqual(await operatorSealing.beginReseals(parley.database), { begun: 1, left: 0 });
    assert.deepEqual([await walk(), await walk()], [true, false]);
    assert.equal(await resealing.finish(scope), false);
    parley.runtime.services.encryption.contentKeys.forgetState(org.orgId);
    await say();
    assert.equal(await walk(), true);
    assert.equal(await walk(), false);
    assert.equal(await resealing.finish(scope), false);
    assert.equal(await walk(), false);
    assert.equal(await resealing.finish(scope), true);
    const { body } = await org.client.get(`/api/conversations/${org.session.session_id}/messages`);
    assert.deepEqual(
      body.filter(({ role }) => role === 'user').map(({ content }) => content),
      ['Anybody?', 'Anybody?'],
    );
  });
});
