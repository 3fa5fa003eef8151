import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import type { ArchiveJobRead } from '../../api/archive/archive.schemas.ts';
import { buildArchive, upload } from './support.ts';

const AT = '2026-06-01T10:00:00.000Z';
const running = new AbortController().signal;

describe('importArchive of merged contacts', () => {
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  it('uses the contact into which an archived contact was merged, and creates none for it', async () => {
    const { client, orgId, bot } = await buildActiveBot(parley);
    const scope = { orgId, db: parley.database };
    const { archiveImport } = parley.runtime.services.archive;
    const buildContact = (more: { id: string; merged_ids?: string[]; identity?: string }) => ({
      bot_id: bot.id,
      visitor_id: newId(),
      browser_id: newId(),
      first_seen_at: AT,
      ...more,
    });
    const importLines = async (lines: Parameters<typeof buildArchive>[0]) => {
      const { id } = (await (await upload(client, buildArchive(lines))).json()) as ArchiveJobRead;
      await archiveImport.verify(scope, id, running);
      return archiveImport.commit(scope, id, running);
    };
    const [merger, merged, unrelated] = [newId(), newId(), newId()];
    const ada = { id: merger, identity: 'ada', merged_ids: [newId(), merged] };
    assert.equal((await importLines({ contacts: [buildContact(ada)] })).contacts, 1);
    const { contacts: added } = await importLines({
      contacts: [buildContact({ id: merged }), buildContact({ id: unrelated })],
    });
    assert.equal(added, 1);
    const conversation = { type: 'conversation', ...buildContact({ id: newId() }), created_at: AT };
    const { first_seen_at: _, ...chat } = { ...conversation, contact_id: merged };
    await importLines({ conversations: [chat] });
    const { body } = await client.get(`/api/conversations/${chat.id}`);
    assert.equal(body.contact_id, merger);
  });
});
