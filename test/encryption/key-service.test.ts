import assert from 'node:assert/strict';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildOwner, KEY_NAME, startVault, type TestVault } from './support.ts';

describe('updateOrg with settings.key_service', () => {
  let parley: TestParley;
  let vault: TestVault;
  before(async () => {
    [parley, vault] = await Promise.all([startParley(), startVault()]);
  });
  after(() => Promise.all([parley.stop(), vault.stop()]));
  afterEach(() => void (vault.front.mode = 'pass'));

  const build = () => buildOwner(parley);
  const hasKeyService = async (orgId: string) =>
    (await parley.database.sql('SELECT FROM key_services WHERE org_id = $1', [orgId])).length === 1;

  it('encrypts and decrypts with the service as a trial, stores it, and shows admins everything except its secrets', async () => {
    const { owner, path, orgId } = await build();
    vault.front.requests.length = 0;
    const { status, body } = await owner.patch(path, { settings: { key_service: vault.service } });
    assert.equal(status, 200);
    const shown = {
      type: 'vault_transit',
      url: vault.front.url,
      mount: 'transit',
      key_name: KEY_NAME,
      namespace: null,
    };
    assert.deepEqual(body.settings, { key_service: shown });
    assert.deepEqual((await owner.get(path)).body.settings, { key_service: shown });
    assert.deepEqual(
      vault.front.requests.map(({ path: asked }) => asked),
      [`/v1/transit/encrypt/${KEY_NAME}`, `/v1/transit/decrypt/${KEY_NAME}`],
    );
    const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
    assert.deepEqual((await viewer.client.get(path)).body.settings, {});
    assert.deepEqual((await owner.patch(path, { settings: { key_service: null } })).body.settings, {});
    assert.equal(await hasKeyService(orgId), false);
  });

  it('requires a signed-in owner', async () => {
    const { client, path, orgId } = await build();
    const change = { settings: { key_service: vault.service } };
    assert.equal(formatOutcome(await client.patch(path, change)), '403 forbidden');
    const admin = await parley.signIn(await parley.buildOrg({ orgId, role: 'admin' }));
    vault.front.requests.length = 0;
    assert.equal(formatOutcome(await admin.client.patch(path, change)), '403 forbidden');
    assert.deepEqual(vault.front.requests, []);
  });

  for (const [mode, outcome] of [
    ['refuse', '422 validation_error'],
    ['fail', '422 validation_error'],
    ['hang', '422 validation_error'],
    ['redirect', '422 url_refused'],
  ] as const)
    it(`refuses a service that would ${mode} with ${outcome}, and stores nothing`, async () => {
      const { owner, path, orgId } = await build();
      vault.front.mode = mode;
      const refused = await owner.patch(path, { name: 'Renamed', settings: { key_service: vault.service } });
      assert.equal(formatOutcome(refused), outcome);
      assert.equal(await hasKeyService(orgId), false);
      assert.equal((await owner.get(path)).body.name, 'Acme');
    });

  for (const [what, url] of [
    ['of a private network', 'https://10.0.0.7:8200'],
    ['of a machine’s own network', 'https://[::1]:8200'],
    ['that hands out credentials', 'https://169.254.169.254'],
    ['without encryption', 'http://8.8.8.8:8200'],
  ] as const)
    it(`refuses a URL ${what}, and stores nothing`, async () => {
      const { owner, path, orgId } = await build();
      const service = { ...vault.service, url };
      const refused = await owner.patch(path, { settings: { key_service: service } });
      assert.equal(formatOutcome(refused), '422 url_refused');
      assert.equal(refused.problem.details[0]?.field, 'settings.key_service.url');
      assert.equal(await hasKeyService(orgId), false);
    });

  it('names missing fields, and fields that belong to the other kind of service', async () => {
    const { owner, path } = await build();
    const { type, url } = vault.service;
    const { problem } = await owner.patch(path, {
      settings: { key_service: { type, url, region: 'eu-west-1' } },
    });
    assert.deepEqual(
      problem.details.map(({ field, message }) => [field, message]),
      [
        ['settings.key_service.key_name', 'is required for vault_transit'],
        ['settings.key_service.token', 'is required for vault_transit'],
        ['settings.key_service.region', 'does not belong to vault_transit'],
      ],
    );
  });
});
