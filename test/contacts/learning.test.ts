import assert from 'node:assert/strict';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type ApiClient, type SharedParley } from '../support/parley.ts';
import { ask, buildSession } from '../support/widget.ts';
import { readEvents } from '../support/event-stream.ts';
import { listPayloads } from './support.ts';

describe('sendWidgetMessage, with contact details in the message,', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const say = async (visitor: ApiClient, path: string, content: string) =>
    assert.equal((await visitor.post(`${path}/messages`, { content })).status, 201);

  async function readSingleContact(client: ApiClient) {
    const { items } = (await client.get('/api/contacts')).body;
    assert.ok(items.length <= 1);
    return items[0]!;
  }

  async function listUpdates(orgId: string): Promise<string[][]> {
    const rows = await parley.database.sql<{ changed: string[] }>(
      `SELECT payload -> 'changed' AS changed FROM outbox
       WHERE org_id = $1 AND kind = 'event' AND name = 'contact.updated' ORDER BY id`,
      [orgId],
    );
    return rows.map(({ changed }) => changed);
  }

  const listLeadEvents = (orgId: string) => listPayloads(parley, orgId, 'lead.captured');

  itInSoak(
    'turns each conversation in which new details appear into a lead, even if the visitor is known',
    async () => {
      const { visitor, path, client, orgId, bot, session } = await buildSession(parley);
      await say(visitor, path, 'I am ada@example.com.');
      const { body: later } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {
        visitor_secret: session.visitor_secret,
      });
      const again = parley.client(later.visitor_token);
      for (const content of ['It is me, ada@example.com.', 'My number is +49 30 901820.'])
        await say(again, `/api/public/sessions/${later.session_id}`, content);
      const { id, is_lead } = await readSingleContact(client);
      assert.equal(is_lead, true);
      assert.deepEqual(
        await listLeadEvents(orgId),
        [session, later].map(({ session_id }) => ({
          conversation_id: session_id,
          bot_id: bot.id,
          contact_id: id,
          fields: { email: 'ada@example.com' },
        })),
      );
      assert.deepEqual(await listUpdates(orgId), [['phone']]);
    },
  );

  it('stores the details at once, with one contact.updated for each change', async () => {
    const { visitor, path, client, orgId } = await buildSession(parley);
    await say(visitor, path, 'Hello!');
    assert.equal(await readSingleContact(client), undefined);
    await say(visitor, path, 'I am ada@example.com.');
    await say(visitor, path, 'As I said: ADA@example.com, or ada@example.com.');
    await say(visitor, path, 'ada@example.com, and my phone is +49 30 901820.');
    const { email, phone, name, is_lead } = await readSingleContact(client);
    assert.deepEqual(
      { email, phone, name, is_lead },
      {
        email: 'ada@example.com',
        phone: '+49 30 901820',
        name: null,
        is_lead: true,
      },
    );
    assert.equal((await listLeadEvents(orgId)).length, 1);
    assert.deepEqual(await listUpdates(orgId), [['phone']]);
  });

  it('stores the details if the answer is streamed, and while an agent has the conversation', async () => {
    const { visitor, path, client } = await buildSession(parley, { handoff_enabled: true });
    await readEvents(await ask(visitor, path, { content: 'Write to ada@example.com.' }));
    assert.equal((await readSingleContact(client))!.email, 'ada@example.com');
    await visitor.post(`${path}/handoff`, {});
    await say(visitor, path, 'My number is 030 901820.');
    assert.equal((await readSingleContact(client))!.phone, '030 901820');
  });

  it('replaces earlier details from messages, but no details from a form or the team', async () => {
    const { visitor, path, client } = await buildSession(parley);
    await say(visitor, path, 'I am ada@example.com.');
    await say(visitor, path, 'Sorry, I am grace@example.com.');
    const { id, email } = await readSingleContact(client);
    assert.equal(email, 'grace@example.com');
    await client.patch(`/api/contacts/${id}`, { email: 'office@example.com' });
    await say(visitor, path, 'My boss is bob@example.com.');
    assert.equal((await readSingleContact(client))!.email, 'office@example.com');
  });

  for (const consent of ['denied', 'withdrawn']) {
    it(`stores no details once consent is ${consent}`, async () => {
      const { visitor, path, client, orgId } = await buildSession(parley);
      await visitor.post(`${path}/consent`, { consent });
      await say(visitor, path, 'I am ada@example.com, +49 30 901820.');
      assert.equal(await readSingleContact(client), undefined);
      assert.deepEqual(await listUpdates(orgId), []);
    });
  }

  it('deletes the details if consent is denied afterwards, and keeps earlier details', async () => {
    const { visitor, path, client, orgId } = await buildSession(parley);
    await say(visitor, path, 'I am ada@example.com.');
    const { id } = await readSingleContact(client);
    await client.patch(`/api/contacts/${id}`, { phone: '+49 30 111111', name: 'Ada' });
    await visitor.post(`${path}/consent`, { consent: 'denied' });
    const { name, email, phone } = await readSingleContact(client);
    assert.deepEqual({ name, email, phone }, { name: 'Ada', email: null, phone: '+49 30 111111' });
    assert.deepEqual((await listUpdates(orgId)).at(-1), ['email', 'is_lead']);
  });

  itInSoak('stores no details that the team has deleted, until the team enters them again', async () => {
    const { visitor, path, client } = await buildSession(parley);
    await say(visitor, path, 'I am ada@example.com.');
    const { id } = await readSingleContact(client);
    await client.patch(`/api/contacts/${id}`, { email: null, phone: null });
    await say(visitor, path, 'As I said: ada@example.com, or +49 30 901820.');
    const { email, phone } = await readSingleContact(client);
    assert.deepEqual([email, phone], [null, '+49 30 901820']);
    await client.patch(`/api/contacts/${id}`, { email: 'ada@example.com' });
    await say(visitor, path, 'Or rather ada@work.example.');
    assert.equal((await readSingleContact(client))!.email, 'ada@work.example');
  });

  itInSoak(
    'stores no details from a conversation without consent, although the visitor has consented in another conversation',
    async () => {
      const { visitor, path, client, bot, session } = await buildSession(parley);
      const { body: first } = await visitor.get(path);
      await visitor.post(`${path}/consent`, { consent: 'withdrawn' });
      const { body: second } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {
        visitor_id: first.visitor_id,
        visitor_secret: session.visitor_secret,
      });
      await parley
        .client(second.visitor_token)
        .post(`/api/public/sessions/${second.session_id}/consent`, { consent: 'granted' });
      await say(visitor, path, 'I am ada@example.com.');
      assert.equal(await readSingleContact(client), undefined);
    },
  );

  itInSoak('creates one contact for many concurrent messages, with one event for each change', async () => {
    const { visitor, path, client, orgId } = await buildSession(parley);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        say(visitor, path, index % 2 ? 'ada@example.com' : 'call +49 30 901820'),
      ),
    );
    const { email, phone } = await readSingleContact(client);
    assert.deepEqual([email, phone], ['ada@example.com', '+49 30 901820']);
    assert.equal((await listLeadEvents(orgId)).length, 1);
    assert.equal((await listUpdates(orgId)).flat().length, 1);
  });

  it('stores the details of a repeated message once', async () => {
    const { visitor, path, orgId } = await buildSession(parley);
    const message = { content: 'ada@example.com', client_id: 'm-1' };
    await visitor.post(`${path}/messages`, message);
    await visitor.post(`${path}/messages`, message);
    assert.deepEqual(await listUpdates(orgId), []);
    assert.equal((await listLeadEvents(orgId)).length, 1);
  });
});
