import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';
import { waitUntil } from '../support/wait-until.ts';

type Session = Awaited<ReturnType<typeof buildSession>>;

describe('listConversations', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ searchSeconds: 30 });
  });
  after(() => parley.stop());

  async function startSession({ bot }: Session, visitor_id?: string): Promise<string> {
    const { body } = await parley
      .client()
      .post(`/api/public/bots/${bot.public_key}/sessions`, { visitor_id });
    return body.session_id as string;
  }

  async function addContact(
    { orgId, bot }: Session,
    conversationId: string,
    details: Partial<Opened<Contact>>,
  ) {
    const conversations = parley.database.repository(Conversation);
    const { visitorId, browserId } = await conversations.findOneByOrFail({ id: conversationId });
    const id = newId();
    await parley.database
      .repository(Contact)
      .insert({ id, orgId, botId: bot.id as string, visitorId, browserId, ...details } as object);
    if (details.identity) await conversations.update(conversationId, { contactId: id });
    return id;
  }

  async function addMessage({ orgId }: Session, conversationId: string, content: string): Promise<void> {
    await parley.database
      .repository(Message)
      .insert({ id: newId(), orgId, conversationId, role: 'user', content });
  }

  async function findIds({ client }: Pick<Session, 'client'>, q: string): Promise<string[]> {
    const { body, status } = await client.get(`/api/conversations?${new URLSearchParams({ q }).toString()}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.total, body.items.length);
    return body.items.map(({ id }: { id: string }) => id);
  }

  it('matches name, address and phone number of the contact, in any phone format', async () => {
    const org = await buildSession(parley);
    const ada = org.session.session_id as string;
    const bob = await startSession(org);
    await addContact(org, ada, {
      name: 'Ada Ökafor',
      email: 'ada_l@example.com',
      phone: '+49 (0)171 / 23-45 67',
    });
    await addContact(org, bob, {
      name: '50% Bob',
      email: 'adaxl@example.com',
      identity: 'crm-77',
      phone: '0301234',
    });
    for (const q of [
      'ökAFOR',
      ' Ada Ö',
      'ada_l@',
      '+49 171 2345',
      '0171/234',
      '0049171 234567',
      '(0171) 23',
      '171.23',
    ])
      assert.deepEqual(await findIds(org, q), [ada], q);
    for (const q of ['50%', 'CRM-77', '030 12', '301-234']) assert.deepEqual(await findIds(org, q), [bob], q);
    assert.deepEqual(await findIds(org, '0815 4711'), []);
  });

  it('matches title, summary, visitor id and messages, without wildcards', async () => {
    const org = await buildSession(parley);
    const first = org.session.session_id as string;
    const second = await startSession(org, 'customer-4711');
    const conversations = parley.database.repository(Conversation);
    await conversations.update(first, { title: 'Broken motor', summary: 'It makes_a noise.' });
    await addMessage(org, second, 'Wo bekomme ich 100% 漢字?');
    for (const q of ['BROKEN m', 's_a', 'noise.']) assert.deepEqual(await findIds(org, q), [first], q);
    for (const q of ['customer-47', '100%', '漢字', '%', 'bekomme ICH']) {
      assert.deepEqual(await findIds(org, q), [second], q);
    }
    for (const q of ['n_ise', 'Wo%ich', '\\', "'", '漢漢']) assert.deepEqual(await findIds(org, q), [], q);
  });

  it('matches nothing of another workspace, an erased contact or another bot’s visitor', async () => {
    const [mine, foreign] = [await buildSession(parley), await buildSession(parley)];
    const id = mine.session.session_id as string;
    await addContact(mine, id, { name: 'Zelda Quist' });
    await addMessage(mine, id, 'The zebra question');
    for (const q of ['Zelda', 'zebra']) {
      assert.deepEqual(await findIds(mine, q), [id]);
      assert.deepEqual(await findIds(foreign, q), []);
    }
    const { body: other } = await mine.client.post('/api/bots', { name: 'Other' });
    await mine.client.patch(`/api/bots/${other.id}`, { status: 'active' });
    await startSession({ ...mine, bot: other }, mine.session.visitor_id as string);
    assert.deepEqual(await findIds(mine, 'Zelda'), [id]);
    await parley.database.repository(Contact).update({ orgId: mine.orgId }, { deletedAt: new Date() });
    assert.deepEqual(await findIds(mine, 'Zelda'), []);
  });

  itInSoak('can use the index on message texts', async () => {
    const plan = await parley.database.transaction(async (db) => {
      await db.sql('SET LOCAL enable_seqscan = off');
      return db.sql(
        `EXPLAIN SELECT conversation_id FROM messages WHERE org_id = '${newId()}' AND key_id IS NULL AND content ILIKE '%tariff%'`,
      );
    });
    assert.match(JSON.stringify(plan), /Bitmap Index Scan on ix_messages_text.*Index Cond.*org_id.*~~\*/);
  });

  itInSoak(
    'refuses a query that takes longer than searchSeconds, as listContacts and exportContacts do',
    async () => {
      const { key } = await buildSession(parley);
      const impatient = await parley.startAnother({ searchSeconds: 1 });
      const another = impatient.client(key);
      try {
        for (const list of ['/api/conversations', '/api/contacts', '/api/contacts/export']) {
          await parley.database.transaction(async (db) => {
            await db.sql('LOCK TABLE messages, contacts IN ACCESS EXCLUSIVE MODE');
            const { status, problem } = await another.get(`${list}?q=tariff`);
            assert.equal(status, 422);
            assert.deepEqual([problem.details[0]!.field, problem.details[0]!.in], ['q', 'query']);
            assert.match(problem.details[0]!.message, /takes longer than 1 s/);
          });
          assert.equal((await another.get(`${list}?q=tariff`)).status, 200);
          // The search has restored the timeout of its database connection.
          const [timeout] = await impatient.runtime.database.sql<object>('SHOW statement_timeout');
          assert.deepEqual(timeout, { statement_timeout: '30s' });
        }
      } finally {
        await impatient.stop();
      }
    },
  );

  itInSoak(
    'limits a workspace’s simultaneous searches and queue, and leaves connections to other workspaces',
    async () => {
      const busy = await buildSession(parley);
      const other = await buildSession(parley);
      let asked = 0;
      const lists = ['/api/conversations?q=tariff', '/api/contacts?q=tariff'];
      const searchNext = ({ client }: Pick<Session, 'client'>) => client.get(lists[asked++ % 2]!);
      const answers: string[] = [];
      const searches: Promise<unknown>[] = [];
      let others!: ReturnType<typeof searchNext>;
      // A busy workspace gets two of the four slots for searches, and half of the queue.
      const [places, refusals] = [2 + 16, 22];
      await parley.database.transaction(async (db) => {
        await db.sql('LOCK TABLE messages, contacts IN ACCESS EXCLUSIVE MODE');
        for (let each = 0; each < places + refusals; each += 1) {
          const asked = searchNext(busy);
          searches.push(
            asked.then(({ status, headers }) => answers.push(`${status} ${headers.get('retry-after')}`)),
          );
        }
        await waitUntil(() => answers.length === refusals, 'the refusals');
        others = searchNext(other);
        for (const { client } of [busy, other])
          for (const path of ['/api/bots', '/api/webhooks'])
            assert.equal((await client.get(path)).status, 200);
      });
      assert.equal((await others).status, 200);
      await Promise.all(searches);
      const expected = [...Array<string>(refusals).fill('429 2'), ...Array<string>(places).fill('200 null')];
      assert.deepEqual(answers, expected);
    },
  );

  itInSoak('sorts by the last message on request, with pages and cursors in that order', async () => {
    const org = await buildSession(parley);
    const ids = [org.session.session_id as string];
    for (let each = 0; each < 5; each += 1) ids.push(await startSession(org));
    const minuteTime = (minutes: number) => new Date(Date.UTC(2026, 4, 1, 12, minutes));
    // Minutes of the conversations' last messages: two equal times, two in the same hour, the others in
    // different hours and days.
    const minutes = [3, 70, 3, 5, -2000, 64];
    for (const [index, id] of ids.entries()) {
      await parley.database
        .repository(Conversation)
        .update(id, { lastMessageAt: minuteTime(minutes[index]!) });
    }
    const tied = [ids[0]!, ids[2]!].toSorted().toReversed();
    const expected = [ids[1], ids[5], ids[3], ...tied, ids[4]];
    const readPage = async (query: string) => (await org.client.get(`/api/conversations?${query}`)).body;
    const listIds = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
    assert.deepEqual(listIds(await readPage('sort=last_message')), expected);
    assert.deepEqual(listIds(await readPage('sort=last_message&page=2&page_size=4')), expected.slice(4));
    const seen: (string | undefined)[] = [];
    let page = await readPage('sort=last_message&page_size=1');
    const { next_cursor: cursor } = page;
    for (;;) {
      seen.push(...listIds(page));
      if (page.next_cursor === null) break;
      page = await readPage(`sort=last_message&page_size=1&cursor=${page.next_cursor}`);
    }
    assert.deepEqual(seen, expected);
    assert.deepEqual(listIds(await readPage('')), ids.toReversed());
    assert.deepEqual(listIds(await readPage('sort=started')), ids.toReversed());
    for (const query of [`cursor=${cursor}`, `sort=started&cursor=${cursor}`, 'sort=rating']) {
      assert.equal((await org.client.get(`/api/conversations?${query}`)).status, 422, query);
    }
  });

  it('lists a conversation first after a new message, and returns no conversation twice while paging', async () => {
    const org = await buildSession(parley);
    const first = org.session.session_id as string;
    const ids = [first, await startSession(org), await startSession(org)];
    for (const [age, id] of ids.toReversed().entries()) {
      const lastMessageAt = new Date(Date.now() - (age + 1) * 3_600_000);
      await parley.database.repository(Conversation).update(id, { lastMessageAt });
    }
    const { body: before } = await org.client.get('/api/conversations?sort=last_message&page_size=1');
    assert.equal(before.items[0]!.id, ids[2]);
    assert.equal((await org.visitor.post(`${org.path}/messages`, { content: 'Hello again' })).status, 201);
    const { body: next } = await org.client.get(
      `/api/conversations?sort=last_message&page_size=5&cursor=${before.next_cursor}`,
    );
    assert.deepEqual(
      next.items.map(({ id }: { id: string }) => id),
      [ids[1]],
    );
    const { body: after } = await org.client.get('/api/conversations?sort=last_message&page_size=1');
    assert.equal(after.items[0]!.id, first);
  });
});
