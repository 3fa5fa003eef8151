import assert from 'node:assert/strict';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { newId } from '../../core/ids.ts';
import { buildDocument, buildPassage } from '../support/knowledge.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot, buildSession } from '../support/widget.ts';

const COMPOSED = 'Café Ñandú';
const DECOMPOSED = 'Cafe\u0301 N\u0303andu\u0301';

/** Unicode forms of stored and searched texts. Programs on macOS and some keyboards send decomposed characters. */
const forms: [stored: string, sought: string, name: string][] = [
  [DECOMPOSED, COMPOSED, 'decomposed'],
  [COMPOSED, DECOMPOSED, 'composed'],
];

for (const [stored, sought, name] of forms)
  describe(`with texts that were stored ${name},`, () => {
    let parley: SharedParley;
    const q = encodeURIComponent(sought.split(' ')[1]!.toLowerCase());
    const tag = encodeURIComponent(sought);
    before(async () => (parley = await startSharedParley()));

    it('listBots finds a bot by the other form of its name', async () => {
      const { client, bot } = await buildActiveBot(parley, { name: stored });
      const { body } = await client.get(`/api/bots?q=${q}`);
      assert.deepEqual(
        body.items.map((each) => [each.id, each.name]),
        [[bot.id, stored]],
      );
    });

    it('listContacts finds a contact by the other form of its name and tag', async () => {
      const { client, bot, orgId } = await buildActiveBot(parley);
      const id = newId();
      const row = {
        id,
        orgId,
        botId: bot.id,
        visitorId: 'v',
        browserId: newId(),
        name: stored,
        tags: [stored],
      };
      await parley.database.repository(Contact).insert({ ...row, firstSeenAt: new Date() });
      for (const query of [`q=${q}`, `tag=${tag}`, `q=${q}&tag=${tag}`])
        assert.deepEqual(
          (await client.get(`/api/contacts?${query}`)).body.items.map((each) => each.id),
          [id],
          query,
        );
    });

    it('listDocuments finds a document by the other form of its title and tag, and searchKnowledge by the other form of its tag', async () => {
      const { client, bot, orgId } = await buildActiveBot(parley);
      const org = { orgId, botId: bot.id };
      const id = await buildPassage(parley.database, org, 'The motor error M22 means too hot.');
      await parley.database.repository(Document).update(id, { title: stored, tags: [stored] });
      await buildDocument(parley.database, { ...org, title: 'Other', tags: ['other'] });
      for (const query of [`q=${q}`, `tag=${tag}`])
        assert.deepEqual(
          (await client.get(`/api/bots/${bot.id}/knowledge?${query}`)).body.items.map((each) => each.id),
          [id],
          query,
        );
      const asked = { query: 'motor error M22', tags: [sought] };
      const { body } = await client.post(`/api/bots/${bot.id}/knowledge/search`, asked);
      assert.deepEqual(
        body.items.map((each) => each.document_id),
        [id],
      );
    });

    it('listConversations finds a conversation by the other form of its messages', async () => {
      const { client, visitor, path, session } = await buildSession(parley);
      await visitor.post(`${path}/messages`, { content: `Is the ${stored} open?` });
      const { body } = await client.get(`/api/conversations?q=${q}`);
      assert.deepEqual(
        body.items.map((each) => each.id),
        [session.session_id],
      );
    });
  });
