import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import { WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';
import { buildResources, callerOf, responseTo } from '../support/operation-calls.ts';
import { outcomeOf } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { everythingStored } from '../support/snapshot.ts';

const ofContent = operations.filter(({ readsContent }) => readsContent);

describe('while the key of a workspace is out of reach', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());

  /** Its content is sealed with a key whose service is there no more. */
  async function withdrawKey(orgId: string): Promise<void> {
    const { database, runtime } = parley;
    await database.repository(OrgEncryption).insert({ orgId, mode: 'tenant', keyVersion: 1 });
    await database
      .repository(WorkspaceKey)
      .insert({ id: newId(), orgId, version: 1, root: 'service', wrappedKey: 'vault:v1:none' });
    runtime.services.contentKeys.forget(orgId);
  }

  for (const operation of ofContent) {
    it(`${operation.id} returns 423, says when to come back, and has no effect`, async () => {
      const resources = await buildResources(parley, operation);
      await withdrawKey(resources.orgId);
      const untouched = await everythingStored(parley);
      const { status, headers, problem } = await responseTo(
        operation,
        callerOf(operation, resources, parley),
        resources.ids,
      );
      assert.equal(outcomeOf({ status, body: problem }), '423 key_unavailable');
      assert.equal(headers.get('retry-after'), '5');
      assert.deepEqual(await everythingStored(parley), untouched);
    });
  }
});
