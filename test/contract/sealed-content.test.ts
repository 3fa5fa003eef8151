import assert from 'node:assert/strict';
import { listErrorCodes } from '../../api/http/openapi/openapi.ts';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import { WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';
import { buildResources, createCaller, callOperation, type Resources } from '../support/operation-calls.ts';
import { assertNeutral, formatOutcome } from '../support/outcome.ts';
import { startParley, type ApiResponse, type TestParley } from '../support/parley.ts';
import { readStoredState } from '../support/snapshot.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const isForVisitors = ({ auth }: Operation) => auth === 'public' || auth === 'visitor';
const readingContent = operations.filter(({ readsContent }) => readsContent);
/** Operations that need the workspace's key for some callers only. Tests of these operations cover them. */
const readingContentForSome = operations.filter(
  (operation) => !listErrorCodes(operation).includes('key_unavailable'),
);

describe('while the key of a workspace is unavailable,', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley({ PARLEY_SEAL_CONTENT: 'true' })));
  after(() => parley.stop());

  /**
   * Builds a workspace with one resource of each kind, all content encrypted.
   * @param operation the only operation that is called, if the resources are for one
   */
  async function buildEncrypted(operation?: Operation): Promise<Resources> {
    const resources = await buildResources(parley, operation);
    const { orgId } = resources;
    const { contentKeys, resealing } = parley.runtime.services.encryption;
    await contentKeys.getCurrentKey(orgId);
    await parley.database.repository(OrgEncryption).update(orgId, { isSealing: true });
    await resealing.runSteps({ orgId, db: parley.database }, () => false);
    return resources;
  }

  /** Makes the workspace's key unavailable: the next read of content calls a key service that is unreachable. */
  async function withdrawKey({ orgId }: Resources): Promise<void> {
    const { database, runtime } = parley;
    await database.repository(OrgEncryption).update(orgId, { mode: 'tenant' });
    const key = { root: 'service', wrappedKey: 'vault:v1:none' } as const;
    await database.repository(WorkspaceKey).update({ orgId }, key);
    runtime.services.encryption.contentKeys.forget(orgId);
  }

  const call = (operation: Operation, resources: Resources): Promise<ApiResponse> =>
    callOperation(operation, createCaller(operation, resources, parley), resources.ids);

  describe('each operation that reads content:', () => {
    let resources: Resources;
    before(async () => {
      resources = await buildEncrypted();
      await withdrawKey(resources);
    });

    for (const operation of readingContent)
      it(`${operation.id} returns 423 with Retry-After and has no effect`, async () => {
        parley.runtime.services.encryption.contentKeys.forget(resources.orgId);
        const untouched = await readStoredState(parley);
        const { status, headers, problem } = await call(operation, resources);
        assert.equal(formatOutcome({ status, body: problem }), '423 key_unavailable');
        assert.equal(headers.get('retry-after'), '5');
        if (isForVisitors(operation)) assertNeutral(problem);
        else assert.match(problem.error.message, /key service/);
        assert.deepEqual(await readStoredState(parley), untouched);
      });
  });

  it('every other operation that returns content to visitors has tests elsewhere', () => {
    const others = operations.filter(
      (operation) =>
        isForVisitors(operation) &&
        !readingContent.includes(operation) &&
        !readingContentForSome.includes(operation),
    );
    // These operations have tests in test/conversations/files.test.ts,
    // test/encryption/sealed-contacts.test.ts and test/encryption/sealed-knowledge.test.ts.
    assert.deepEqual(others.map(({ id }) => id).toSorted(), [
      'downloadConversationFile',
      'downloadSignedFile',
      'resolveWidgetDirectory',
      'startWidgetSession',
    ]);
  });

  for (const operation of readingContentForSome) {
    itInSoak(`${operation.id} returns the same as with the key`, async () => {
      const expected = formatOutcome(await call(operation, await buildEncrypted(operation)));
      const resources = await buildEncrypted(operation);
      await withdrawKey(resources);
      assert.equal(formatOutcome(await call(operation, resources)), expected);
    });
  }
});
