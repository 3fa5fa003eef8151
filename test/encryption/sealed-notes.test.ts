import assert from 'node:assert/strict';
import { ConversationNote } from '../../entities/conversations/conversation-note.entity.ts';
import { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

const TEXT = 'This customer had the same refund in May.';

describe('notes of a conversation in a workspace that encrypts content', () => {
  let parley: TestParley;
  /** An API process whose operator encrypts the content of all workspaces. */
  let sealing: TestProcess;
  before(async () => {
    parley = await startParley();
    sealing = await parley.startAnother({ sealContent: true });
  });
  after(() => parley.stop());

  async function writeNote(process: TestProcess) {
    const { key, orgId, session } = await buildSession(parley);
    const notes = `/api/ext/conversations/${session.session_id}/notes` as const;
    const { status, body } = await process.client(key).post(notes, { text: TEXT });
    assert.equal(status, 201, JSON.stringify(body));
    return { orgId, note: body, list: async () => (await sealing.client(key).get(notes)).body.items };
  }

  async function assertEncrypted({ id }: { id: string }) {
    const row = await parley.database.repository(ConversationNote).findOneByOrFail({ id });
    assert.ok(row.keyId !== null && !JSON.stringify(row).includes('refund'), JSON.stringify(row));
  }

  it('are stored encrypted by createConversationNote, and returned in plain text by listConversationNotes', async () => {
    const { note, list } = await writeNote(sealing);
    assert.equal(note.text, TEXT);
    await assertEncrypted(note);
    assert.deepEqual(await list(), [note]);
  });

  it('are encrypted by reseal if they were written earlier', async () => {
    const { orgId, note, list } = await writeNote(parley);
    const { contentKeys, resealing } = sealing.runtime.services.encryption;
    await contentKeys.getCurrentKey(orgId);
    await parley.database.repository(OrgEncryption).update(orgId, { isSealing: true });
    await resealing.runSteps({ orgId, db: parley.database }, () => false);
    await assertEncrypted(note);
    assert.deepEqual(await list(), [note]);
  });
});
