import assert from 'node:assert/strict';
import { newId } from '../../../core/ids.ts';
import { Bot } from '../../../entities/bots/bot.entity.ts';
import type { ArchiveJobRead } from '../../../api/archive/archive.schemas.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { waitUntilBlocked } from '../../support/wait-until-blocked.ts';
import { ask, buildSession } from '../../support/widget.ts';
import { buildArchive, upload } from '../../archive/support.ts';

const AT = '2026-06-01T10:00:00.000Z';
const running = new AbortController().signal;

describe('importArchive during visitors’ turns', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());

  async function uploadConversations(client: Parameters<typeof upload>[0], botId: string): Promise<string> {
    const [id, browserId] = [newId(), newId()];
    const said = { type: 'message', conversation_id: id, created_at: AT };
    const archive = buildArchive({
      conversations: [
        {
          type: 'conversation',
          id,
          bot_id: botId,
          visitor_id: 'v',
          browser_id: browserId,
          created_at: AT,
          had_handoff: true,
          handoffs: [{ requested_at: AT }],
        },
        { ...said, id: newId(), role: 'user', content: 'Hello' },
        { ...said, id: newId(), role: 'assistant', content: 'Hi' },
      ],
    });
    return ((await (await upload(client, archive)).json()) as ArchiveJobRead).id;
  }

  it('does not block visitors of the bot, and all messages are counted', async () => {
    const { client, orgId, bot, visitor, path } = await buildSession(parley);
    const scope = { orgId, db: parley.database };
    const id = await uploadConversations(client, bot.id);
    const { archiveImport } = parley.runtime.services.archive;
    await archiveImport.verify(scope, id, running);
    const before = await parley.database.repository(Bot).findOneByOrFail({ id: bot.id });
    const committed = await parley.database.transaction(async (db) => {
      await db.sql('LOCK TABLE handoffs IN SHARE MODE');
      const committing = archiveImport.commit(scope, id, running);
      await waitUntilBlocked(parley.database, 'the import');
      const response = await ask(visitor, path, { content: 'Where is my bike?' });
      assert.match(await response.text(), /event: done/);
      return { committing };
    });
    assert.equal((await committed.committing).conversations, 1);
    const after = await parley.database.repository(Bot).findOneByOrFail({ id: bot.id });
    assert.deepEqual(
      [after.totalConversations - before.totalConversations, after.totalMessages - before.totalMessages],
      [1, 4],
    );
  });
});
