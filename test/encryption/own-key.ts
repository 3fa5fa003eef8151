import assert from 'node:assert/strict';
import { KeyServiceFront } from '../support/key-service-front.ts';
import type { TestOrg, SharedParley } from '../support/parley.ts';
import { startScriptedVault } from '../support/scripted-vault.ts';

type Workspace = Pick<TestOrg, 'orgId' | 'userId'>;

/** Starts a fake key service that withdraws and restores the keys of workspaces on command. */
export async function startOwnKeys(parley: SharedParley) {
  const vault = await startScriptedVault();
  const front = await KeyServiceFront.start(vault.url);
  const setMode = (mode: KeyServiceFront['mode'], { orgId }: Workspace) => {
    front.mode = mode;
    parley.runtime.services.encryption.contentKeys.forget(orgId);
  };
  return {
    front,
    /** Encrypts the workspace's content with its own key. */
    seal: async ({ orgId, userId }: Workspace) => {
      const { client: owner } = await parley.signIn({ userId, orgId });
      const service = { type: 'vault_transit' as const, url: front.url, key_name: 'parley', token: 'token' };
      const settings = { key_service: service };
      assert.equal((await owner.patch(`/api/orgs/${orgId}`, { settings })).status, 200);
      assert.equal((await owner.put('/api/encryption', { mode: 'tenant' })).status, 200);
      parley.runtime.services.encryption.contentKeys.forget(orgId);
      return owner;
    },
    /** Makes the key service fail for the workspace, and removes the workspace's key from the cache. */
    withdraw: (org: Workspace, mode: KeyServiceFront['mode'] = 'refuse') => setMode(mode, org),
    restore: (org: Workspace) => setMode('pass', org),
    /** Removes the workspace's key from the cache, while the key service works. */
    forgetCached: ({ orgId }: Workspace) => parley.runtime.services.encryption.contentKeys.forget(orgId),
    stop: async () => {
      await front.stop();
      await vault.stop();
    },
  };
}

export type OwnKeys = Awaited<ReturnType<typeof startOwnKeys>>;
