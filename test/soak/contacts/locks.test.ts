import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ContactRepository } from '../../../repositories/contacts/contact.repository.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { createSessionStarter, buildActiveBot } from '../../support/widget.ts';
import { waitUntilBlocked } from '../../support/wait-until-blocked.ts';

const form = {
  handoff_enabled: true,
  lead_capture_config: { enabled: true, fields: [{ key: 'name', label: 'Name' }] },
};

describe('a locked contact', () => {
  let parley: SharedParley;
  let browser: ReturnType<typeof createSessionStarter>;
  const contacts = new ContactRepository();
  before(async () => {
    parley = await startSharedParley();
    browser = createSessionStarter(parley);
  });

  type Bot = Awaited<ReturnType<typeof buildActiveBot>>;

  async function session({ bot, client }: Bot, visitorId = 'ada') {
    const { body } = await browser(bot.public_key, { visitor_id: visitorId });
    const id = body.session_id as string;
    const [row] = await parley.database.sql<{ browserId: string }>(
      'SELECT browser_id AS "browserId" FROM conversations WHERE id = $1',
      [id],
    );
    const contactId = async () =>
      (await client.get(`/api/conversations/${id}`)).body.contact_id as string | null;
    return {
      id,
      browserId: row!.browserId,
      path: `/api/public/sessions/${id}` as const,
      visitor: parley.client(body.visitor_token),
      contactId,
    };
  }

  for (const [how, lock] of [
    ['for a merge', 'lockForIdentity'],
    ['for a change', 'lock'],
    ['for a lead', 'lockOfVisitor'],
  ] as const)
    it(`${how} does not block replyInboxItem`, async () => {
      const org = await buildActiveBot(parley, form);
      const { id, path, visitor, contactId, browserId } = await session(org);
      await visitor.post(`${path}/lead`, { fields: { name: 'Ada' } });
      const contact = (await contactId())!;
      await parley.database.sql("UPDATE contacts SET identity = 'ada' WHERE id = $1", [contact]);
      await parley.database.sql('UPDATE conversations SET contact_id = $1 WHERE id = $2', [contact, id]);
      await visitor.post(`${path}/handoff`, {});
      await parley.database.transaction(async (db) => {
        const scope = { db, orgId: org.orgId };
        const person = { botId: org.bot.id, browserId, contactId: contact };
        if (lock === 'lockForIdentity') await contacts.lockForIdentity(scope, 'ada', person);
        else if (lock === 'lock') await contacts.lock(scope, contact);
        else await contacts.lockByVisitor(scope, person);
        const reply = await Promise.race([
          org.client.post(`/api/inbox/${id}/reply`, { content: 'Hello' }),
          sleep(60_000, { status: 'it waits' }, { ref: false }),
        ]);
        assert.equal(reply.status, 201);
      });
    });

  it('for a merge does not wait for conversations that begin concurrently', async () => {
    const org = await buildActiveBot(parley, form);
    const first = await session(org);
    const other = await session(org, 'other');
    await other.visitor.post(`${other.path}/lead`, { fields: { name: 'Ada' } });
    const contact = (await other.contactId())!;
    await parley.database.transaction(async (db) => {
      const scope = { db, orgId: org.orgId };
      const person = { botId: org.bot.id, browserId: first.browserId, contactId: null };
      const ids = await contacts.conversations.lock(scope, person);
      await session(org);
      assert.deepEqual(ids, [first.id]);
      assert.equal((await contacts.conversations.updateContact(scope, ids, contact)).length, 1);
    });
    const { body } = await org.client.get(`/api/conversations?contact_id=${contact}`);
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id).toSorted(),
      [first.id, other.id].toSorted(),
    );
  });

  it('accepts submitWidgetLead of a visitor whose contact is merged concurrently', async () => {
    const org = await buildActiveBot(parley, form);
    const { path, visitor, contactId } = await session(org);
    await visitor.post(`${path}/lead`, { fields: { name: 'Ada' } });
    const merged = await contactId();
    const { lead } = await parley.database.transaction(async (db) => {
      await db.sql('SELECT FROM contacts WHERE id = $1 FOR UPDATE', [merged]);
      const sent = visitor.post(`${path}/lead`, { fields: { name: 'Ada Lovelace' } });
      await waitUntilBlocked(parley.database, 'the lead');
      await db.sql('DELETE FROM contacts WHERE id = $1', [merged]);
      return { lead: sent };
    });
    assert.equal((await lead).status, 200);
    const { body } = await org.client.get(`/api/contacts/${await contactId()}`);
    assert.deepEqual([body.name, body.id === merged], ['Ada Lovelace', false]);
  });
});
