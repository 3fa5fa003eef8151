import assert from 'node:assert/strict';
import { consequences } from '../../core/encryption/mode-consequences.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildOwner, reseal, startVault, type TestVault } from './support.ts';

describe('the encryption of a workspace:', () => {
  let parley: TestParley;
  let vault: TestVault;
  before(async () => {
    [parley, vault] = await Promise.all([startParley(), startVault()]);
  });
  after(() => Promise.all([parley.stop(), vault.stop()]));
  afterEach(() => void (vault.front.mode = 'pass'));

  const listWorkspaceKeys = (orgId: string) =>
    parley.database.sql<{ version: number; root: string }>(
      'SELECT version, root FROM workspace_keys WHERE org_id = $1 ORDER BY version',
      [orgId],
    );
  const listCommands = async (orgId: string) => {
    const rows = await parley.database.sql<{ id: string }>(
      "SELECT payload->>'workflowId' AS id FROM outbox WHERE org_id = $1 AND kind = 'command'",
      [orgId],
    );
    return rows.map(({ id }) => id);
  };

  it('getEncryption returns the platform’s mode at first, and previews only the consequences of the other mode', async () => {
    const { client } = await parley.buildOrg();
    const { body } = await client.get('/api/encryption');
    assert.deepEqual(body, {
      mode: 'platform',
      consequences: ['The operators of this service can read the content. Only secrets are encrypted.'],
      sealing: false,
      key_created_at: null,
    });
    const preview = await client.get('/api/encryption?mode=tenant');
    assert.deepEqual(preview.body, { ...body, consequences: [...consequences.tenant] });
    assert.equal(formatOutcome(await client.get('/api/encryption?mode=none')), '422 validation_error');
  });

  it('setEncryption refuses the tenant’s mode without a key service', async () => {
    const { owner, client } = await buildOwner(parley);
    assert.equal(formatOutcome(await owner.put('/api/encryption', { mode: 'tenant' })), '409 conflict');
    assert.equal((await client.get('/api/encryption')).body.mode, 'platform');
  });

  it('setEncryption switches to the tenant’s mode once, and starts reseal', async () => {
    const { owner, orgId } = await buildOwner(parley, vault.service);
    const { status, body } = await owner.put('/api/encryption', { mode: 'tenant' });
    assert.equal(status, 200);
    assert.deepEqual([body.mode, body.sealing], ['tenant', true]);
    assert.ok(body.key_created_at);
    assert.deepEqual(await listWorkspaceKeys(orgId), [{ version: 1, root: 'service' }]);
    assert.deepEqual(await listCommands(orgId), [`reseal/${orgId}`]);
    const again = await owner.put('/api/encryption', { mode: 'tenant' });
    assert.deepEqual([again.status, again.body], [200, body]);
    assert.deepEqual(await listCommands(orgId), [`reseal/${orgId}`]);
  });

  itInSoak('setEncryption switches once for two concurrent calls', async () => {
    const { owner, orgId } = await buildOwner(parley, vault.service);
    const both = await Promise.all([1, 2].map(() => owner.put('/api/encryption', { mode: 'tenant' })));
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual(await listWorkspaceKeys(orgId), [{ version: 1, root: 'service' }]);
  });

  for (const mode of ['refuse', 'fail', 'hang'] as const)
    it(`setEncryption returns 423 and changes nothing if the key service would ${mode}`, async () => {
      const { owner, client, orgId } = await buildOwner(parley, vault.service);
      vault.front.mode = mode;
      const refused = await owner.put('/api/encryption', { mode: 'tenant' });
      assert.equal(formatOutcome(refused), '423 key_unavailable');
      assert.equal(refused.headers.get('retry-after'), '5');
      assert.equal((await client.get('/api/encryption')).body.mode, 'platform');
      assert.deepEqual(await listWorkspaceKeys(orgId), []);
    });

  itInSoak(
    'setEncryption does not switch back while the service refuses the key, even a cached key, and switches back afterwards',
    async () => {
      const { owner, orgId } = await buildOwner(parley, vault.service);
      await owner.put('/api/encryption', { mode: 'tenant' });
      await parley.runtime.services.encryption.contentKeys.getCurrentKey(orgId);
      vault.front.mode = 'refuse';
      assert.equal(
        formatOutcome(await owner.put('/api/encryption', { mode: 'platform' })),
        '423 key_unavailable',
      );
      assert.deepEqual(await listWorkspaceKeys(orgId), [{ version: 1, root: 'service' }]);
      vault.front.mode = 'pass';
      const { body } = await owner.put('/api/encryption', { mode: 'platform' });
      assert.deepEqual([body.mode, body.sealing, body.key_created_at], ['platform', true, null]);
      assert.deepEqual(await listWorkspaceKeys(orgId), [{ version: 1, root: 'master' }]);
      vault.front.mode = 'refuse';
      await reseal(parley, orgId);
      assert.deepEqual(await listWorkspaceKeys(orgId), []);
    },
  );

  it('updateOrg keeps the key service while content is encrypted with its key', async () => {
    const { owner, path } = await buildOwner(parley, vault.service);
    await owner.put('/api/encryption', { mode: 'tenant' });
    const removal = { settings: { key_service: null } };
    assert.equal(formatOutcome(await owner.patch(path, removal)), '409 conflict');
    await owner.put('/api/encryption', { mode: 'platform' });
    assert.equal((await owner.patch(path, removal)).status, 200);
  });

  it('updateOrg rewraps the key with another service, and only that service unwraps it afterwards', async () => {
    const { owner, path, orgId } = await buildOwner(parley, vault.service);
    await owner.put('/api/encryption', { mode: 'tenant' });
    const before = await parley.runtime.services.encryption.contentKeys.getCurrentKey(orgId);
    await vault.vault.createKey('second');
    const service = { ...vault.service, key_name: 'second' };
    assert.equal((await owner.patch(path, { settings: { key_service: service } })).status, 200);
    vault.front.requests.length = 0;
    const after = await parley.runtime.services.encryption.contentKeys.getCurrentKey(orgId);
    assert.equal(after?.id, before?.id);
    assert.deepEqual(
      vault.front.requests.map(({ path: asked }) => asked),
      ['/v1/transit/decrypt/second'],
    );
  });

  /** Makes the key service refuse the workspace's credentials. */
  async function withdraw(orgId: string): Promise<void> {
    await parley.database.sql('UPDATE key_services SET config = $2 WHERE org_id = $1', [
      orgId,
      { ...vault.service, token: undefined, mount: 'withdrawn', namespace: null },
    ]);
    parley.runtime.services.encryption.contentKeys.forget(orgId);
  }

  it('updateOrg accepts no other key while the service refuses the current key', async () => {
    const { owner, path, orgId } = await buildOwner(parley, vault.service);
    await owner.put('/api/encryption', { mode: 'tenant' });
    await withdraw(orgId);
    await vault.vault.createKey('third');
    const settings = { key_service: { ...vault.service, key_name: 'third' } };
    assert.equal(formatOutcome(await owner.patch(path, { settings })), '423 key_unavailable');
    assert.deepEqual(await listWorkspaceKeys(orgId), [{ version: 1, root: 'service' }]);
    assert.equal((await owner.patch(path, { settings: { key_service: vault.service } })).status, 200);
  });

  it('updateOrg accepts other credentials for the same key although the service refuses the current credentials', async () => {
    const { owner, path, orgId } = await buildOwner(parley, vault.service);
    await owner.put('/api/encryption', { mode: 'tenant' });
    const { contentKeys } = parley.runtime.services.encryption;
    const before = await contentKeys.getCurrentKey(orgId);
    await withdraw(orgId);
    await assert.rejects(contentKeys.getCurrentKey(orgId), { code: 'key_unavailable' });
    assert.equal((await owner.patch(path, { settings: { key_service: vault.service } })).status, 200);
    assert.equal((await contentKeys.getCurrentKey(orgId))?.id, before?.id);
    assert.deepEqual(await listWorkspaceKeys(orgId), [{ version: 1, root: 'service' }]);
  });

  it('rotateEncryptionKey refuses the platform’s mode', async () => {
    const { owner } = await buildOwner(parley);
    assert.equal(formatOutcome(await owner.post('/api/encryption/rotate')), '409 conflict');
  });

  it('rotateEncryptionKey rotates the key, but not during a conversion, and the old key is deleted later', async () => {
    const { owner, orgId } = await buildOwner(parley, vault.service);
    const { body: first } = await owner.put('/api/encryption', { mode: 'tenant' });
    assert.equal(formatOutcome(await owner.post('/api/encryption/rotate')), '409 conflict');
    await reseal(parley, orgId);
    const sealed = (await parley.runtime.services.encryption.contentKeys.getCurrentKey(orgId))!;
    const { status, body } = await owner.post('/api/encryption/rotate');
    assert.equal(status, 200);
    assert.equal(body.sealing, true);
    assert.notEqual(body.key_created_at, first.key_created_at);
    await reseal(parley, orgId);
    assert.deepEqual(await listWorkspaceKeys(orgId), [{ version: 2, root: 'service' }]);
    const { contentKeys } = parley.runtime.services.encryption;
    const text = sealed.seal('Hello', 'place');
    await contentKeys.prepareKey(orgId, sealed.id);
    assert.equal(contentKeys.requireCachedKey(orgId, sealed.id).open(text, 'place'), 'Hello');
    assert.notEqual((await contentKeys.getCurrentKey(orgId))?.id, sealed.id);
  });

  it('rotateEncryptionKey refuses to rotate while the key is refused', async () => {
    const { owner, orgId } = await buildOwner(parley, vault.service);
    await owner.put('/api/encryption', { mode: 'tenant' });
    await reseal(parley, orgId);
    vault.front.mode = 'refuse';
    assert.equal(formatOutcome(await owner.post('/api/encryption/rotate')), '423 key_unavailable');
    assert.deepEqual(await listWorkspaceKeys(orgId), [{ version: 1, root: 'service' }]);
  });
});
