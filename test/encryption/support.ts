import assert from 'node:assert/strict';
import { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import { buildPerson } from '../accounts/support.ts';
import { KeyServiceFront } from '../support/key-service-front.ts';
import type { SharedParley } from '../support/parley.ts';
import { Vault } from '../support/vault.ts';

export const KEY_NAME = 'parley';

/** Starts the key service Vault behind a proxy that can make its keys unavailable. */
export async function startVault() {
  const vault = await Vault.start();
  if (!vault) throw new Error('Vault could not be built; the tests of encryption need Go 1.26.');
  await vault.createKey(KEY_NAME);
  const front = await KeyServiceFront.start(vault.url);
  const service = { type: 'vault_transit' as const, url: front.url, key_name: KEY_NAME, token: vault.token };
  return {
    vault,
    front,
    service,
    stop: async () => {
      await front.stop();
      await vault.stop();
    },
  };
}

export type TestVault = Awaited<ReturnType<typeof startVault>>;

/** Builds a workspace with a signed-in owner, and a key service. */
export async function buildOwner(parley: SharedParley, service?: TestVault['service']) {
  const org = await buildPerson(parley);
  const { client: owner } = await parley.signIn(org);
  if (service) {
    const { status } = await owner.patch(`/api/orgs/${org.orgId}`, { settings: { key_service: service } });
    assert.equal(status, 200);
  }
  return { ...org, owner, path: `/api/orgs/${org.orgId}` as const };
}

/** Encrypts or decrypts all stored content of the workspace, as the workflow `reseal` does. */
export async function reseal(parley: SharedParley, orgId: string): Promise<void> {
  const { resealing } = parley.runtime.services.encryption;
  const scope = { orgId, db: parley.database };
  await resealing.restart(scope);
  await resealing.runSteps(scope, () => false);
  assert.equal(await resealing.finish(scope), true);
  // Clear the request to rewrite tables, which the workflow would fulfill now; see canaries.workflow.test.ts.
  await parley.database.repository(OrgEncryption).update({ orgId }, { tracesSince: null });
}

/** Encrypts or decrypts all stored content in a first pass, so that the second pass finds nothing. */
export async function resealAll(parley: SharedParley, orgId: string): Promise<void> {
  const { resealing } = parley.runtime.services.encryption;
  const scope = { orgId, db: parley.database };
  await resealing.restart(scope);
  await resealing.runSteps(scope, () => false);
  await reseal(parley, orgId);
}

/**
 * Returns the forms in which the database may store a word: without its ending, which word indexes cut off;
 * in hexadecimal; and in base64 at any offset.
 */
function listStoredForms(word: string): string[] {
  const encoded = ['', '.', '..'].map((before) => {
    const text = Buffer.from(`${before}${word}`).toString('base64');
    return text.slice(before === '' ? 0 : before.length + 1, -4);
  });
  return [word.slice(0, -1), Buffer.from(word).toString('hex'), ...encoded];
}

/** Returns the tables that contain the word in any form, except in the column `search` of chunks. */
export async function findTablesWith({ database }: SharedParley, word: string): Promise<string[]> {
  const tables = await database.sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const telling: string[] = [];
  for (const { name } of tables) {
    const found = await database.sql(
      `SELECT FROM "${name}" t WHERE (to_jsonb(t) - 'search')::text ILIKE ANY ($1) LIMIT 1`,
      [listStoredForms(word).map((form) => `%${form}%`)],
    );
    if (found.length > 0) telling.push(name);
  }
  return telling;
}
