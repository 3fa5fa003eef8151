import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Document } from '../../../entities/knowledge/document.entity.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { buildActiveBot } from '../../support/widget.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../../support/worker.ts';
import { createEndpoint, UNREACHABLE_URL } from '../../webhooks/support.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const form = { enabled: true, fields: [{ key: 'name', label: 'Name' }] };

describe('deletions while the key of a workspace is withdrawn:', () => {
  let parley: SharedParleyWithWorker;
  let keys: OwnKeys;
  before(async () => {
    parley = await startSharedParleyWithWorker();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await keys?.stop();
  });

  beforeEach(() => void (keys.front.mode = 'pass'));

  /**
   * Creates a workspace with encrypted content that cannot be decrypted: a contact, a conversation, and a
   * document with its file.
   */
  async function build() {
    const org = await buildActiveBot(parley, { lead_capture_config: form });
    await keys.seal(org);
    const { client, bot, orgId } = org;
    await createEndpoint(org, UNREACHABLE_URL, { events: ['message.created', 'lead.captured'] });
    const documents = `/api/bots/${bot.id}/knowledge` as const;
    const { body: document } = await client.post(documents, { source_type: 'raw_text', raw_text: 'Prices.' });
    const status = async () => (await client.get(`${documents}/${document.id}/status`)).body.status;
    await waitUntilEqual(status, 'indexed');
    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const visitor = parley.client(session.visitor_token);
    const path = `/api/public/sessions/${session.session_id}` as const;
    await visitor.post(`${path}/messages`, { content: 'Hello' });
    await visitor.post(`${path}/consent`, { consent: 'granted' });
    assert.equal((await visitor.post(`${path}/lead`, { fields: { name: 'Ada' } })).status, 200);
    const conversation = `/api/conversations/${session.session_id}` as const;
    const { body } = await client.get(conversation);
    const { storageKey } = await parley.database.repository(Document).findOneByOrFail({ id: document.id });
    const file = join(parley.runtime.settings.home, 'files', storageKey!);
    assert.ok(existsSync(file));
    keys.withdraw(org);
    const rowsIn = async (table: string) =>
      (await parley.database.sql(`SELECT FROM ${table} WHERE org_id = $1`, [orgId])).length;
    const added = { path: `${documents}/${document.id}` as const, file };
    return { ...org, conversation, contactId: body.contact_id!, document: added, rowsIn };
  }

  it('eraseContact erases a contact with conversations, events and deliveries', async () => {
    const { client, contactId, rowsIn } = await build();
    assert.equal((await client.post(`/api/contacts/${contactId}/erase`)).status, 202);
    for (const table of ['conversations', 'messages', 'webhook_deliveries'])
      await waitUntilEqual(() => rowsIn(table), 0, table);
    await waitUntilEqual(async () => (await client.get('/api/conversations')).status, 423);
  });

  it('deleteConversation deletes a conversation, and deleteDocument a document with its file', async () => {
    const { client, conversation, document, rowsIn } = await build();
    assert.equal((await client.delete(conversation)).status, 200);
    assert.equal(await rowsIn('messages'), 0);
    assert.equal((await client.delete(document.path)).status, 200);
    await waitUntilEqual(() => existsSync(document.file), false);
    assert.equal(await rowsIn('chunks'), 0);
  });

  it('deleteOrg deletes a workspace with all its content', async () => {
    const { orgId, userId, document, rowsIn } = await build();
    const { client: owner } = await parley.signIn({ orgId, userId });
    assert.equal((await owner.delete(`/api/orgs/${orgId}`)).status, 202);
    await waitUntilEqual(
      async () => (await parley.database.sql('SELECT FROM orgs WHERE id = $1', [orgId])).length,
      0,
    );
    for (const table of ['messages', 'contacts', 'chunks', 'workspace_keys', 'data_keys', 'key_services'])
      await waitUntilEqual(() => rowsIn(table), 0, table);
    await waitUntilEqual(() => existsSync(document.file), false);
  });
});
