import assert from 'node:assert/strict';
import { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import { findCommands } from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildExternalBase } from './external-support.ts';

describe('putDocument in a workspace that encrypts its content', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley({ PARLEY_SEAL_CONTENT: 'true' })));
  after(() => parley.stop());

  async function buildSealed() {
    const base = await buildExternalBase(parley);
    const { contentKeys } = parley.runtime.services.encryption;
    await contentKeys.getCurrentKey(base.orgId);
    await parley.database.repository(OrgEncryption).update(base.orgId, { isSealing: true });
    return base;
  }

  it('encrypts each original, and still recognizes the same content', async () => {
    const { putText, readRow, readOriginal } = await buildSealed();
    const { body } = await putText('a', 'The workshop opens at nine.');
    const first = await readRow(body.id);
    const { body: replaced } = await putText('a', 'The workshop opens at ten.');
    const second = await readRow(body.id);
    assert.equal(replaced.outcome, 'replaced');
    assert.notEqual(second.storageKey, first.storageKey);
    assert.equal(typeof second.keyId, 'string');
    assert.equal(second.storageKey!.endsWith(`.${second.keyId}`), true);
    assert.equal((await readOriginal(second.storageKey!)).includes('workshop'), false);
    assert.equal((await putText('a', 'The workshop opens at ten.')).body.outcome, 'unchanged');
  });

  it('converts an original that was stored while the encryption changed', async () => {
    const { putText, orgId, botId, readRow } = await buildSealed();
    const { externalDocuments } = parley.runtime.services.knowledge;
    const { body } = await putText('a', 'One');
    const scope = { orgId, db: parley.database };
    const input = { source_type: 'raw_text', raw_text: 'Two' } as const;
    const received = await externalDocuments.receive(scope, botId, 'a', input);
    received.document.keyId = null;
    await externalDocuments.put(scope, received);
    assert.equal((await readRow(body.id)).keyId, null);
    const names = (await findCommands(parley.database, orgId)).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => name === 'reseal'),
      ['reseal'],
    );
  });
});
