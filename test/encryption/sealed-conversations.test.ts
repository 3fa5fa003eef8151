import assert from 'node:assert/strict';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { ask } from '../support/widget.ts';
import { buildOwner, startVault, type TestVault } from './support.ts';

const SAID = 'Where is my cargo bike for Rotterdam?';
const FALLBACK = 'I do not know about bikes.';
const REASON = 'My parcel of brake pads is lost.';

describe('conversations encrypted with the tenant’s key', () => {
  let parley: TestParley;
  let vault: TestVault;
  let passedMs = 0;
  const clock = { now: () => new Date(Date.now() + passedMs) };
  before(async () => {
    [parley, vault] = await Promise.all([startParley({}, { clock }), startVault()]);
  });
  after(() => Promise.all([parley.stop(), vault.stop()]));
  afterEach(() => void (vault.front.mode = 'pass'));

  /** Builds a workspace with its own key, and a conversation with a question, its answer, a title and a handoff. */
  async function build({ isSealed = true } = {}) {
    const org = await buildOwner(parley, vault.service);
    if (isSealed) await org.owner.put('/api/encryption', { mode: 'tenant' });
    const { body: bot } = await org.client.post('/api/bots', {
      name: 'Help desk',
      handoff_enabled: true,
      fallback_message: FALLBACK,
    });
    await org.client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const id = session.session_id;
    const visitor = parley.client(session.visitor_token);
    const path = `/api/public/sessions/${id}` as const;
    await (await ask(visitor, path, { content: SAID })).text();
    const scope = { orgId: org.orgId, db: parley.database };
    await parley.runtime.services.conversations.enrichment.enrichByPatterns(scope, id);
    assert.equal((await visitor.post(`${path}/handoff`, { reason: REASON })).status, 200);
    const own = `/api/conversations/${id}` as const;
    return { ...org, bot, id, token: session.visitor_token as string, visitor, path, own };
  }
  type Built = Awaited<ReturnType<typeof build>>;

  const readRowTexts = ({ id }: Built) =>
    parley.database.sql<{ text: string }>(
      `SELECT m::text AS text FROM messages m WHERE conversation_id = $1
       UNION ALL SELECT c::text FROM conversations c WHERE id = $1`,
      [id],
    );
  /** Moves the clock forward until the cached keys of every process have expired. */
  const expireKeyCache = () => void (passedMs += 301_000);

  it('contain no plain text in the database, and are returned in plain text by listConversationMessages, getConversation, listInbox and listWidgetMessages', async () => {
    const built = await build();
    const { client, visitor, path, own, id } = built;
    for (const { text } of await readRowTexts(built))
      for (const words of ['cargo', 'bikes', 'brake', 'Rotterdam']) assert.ok(!text.includes(words), text);
    const team = (await client.get(`${own}/messages`)).body;
    assert.deepEqual(
      team.map(({ content }) => content),
      [SAID, FALLBACK, `The visitor asked for a person: ${REASON}`],
    );
    assert.equal((await client.get(`${own}/messages`)).body[2]?.event?.reason, REASON);
    const { body } = await client.get(own);
    assert.equal(body.title, SAID);
    assert.deepEqual([body.first_question, body.last_message], [SAID, FALLBACK]);
    const inbox = (await client.get('/api/inbox')).body.items.find((item) => item.id === id);
    assert.equal(inbox?.handoff_reason, REASON);
    assert.deepEqual(
      (await visitor.get(`${path}/messages`)).body.map(({ content }) => content),
      [SAID, FALLBACK, "We've notified the team."],
    );
  });

  it('are found by listConversations by visitor ids, but not by message text', async () => {
    const { client, id } = await build();
    const searchIds = async (q: string) =>
      (await client.get(`/api/conversations?q=${encodeURIComponent(q)}`)).body.items.map((item) => item.id);
    const [{ visitor_id: visitorId } = { visitor_id: '' }] = await parley.database.sql<{
      visitor_id: string;
    }>('SELECT visitor_id FROM conversations WHERE id = $1', [id]);
    assert.deepEqual(await searchIds(visitorId), [id]);
    for (const q of ['cargo bike', 'brake', 'a', 'A', '-'])
      if (q.length > 1) assert.deepEqual(await searchIds(q), []);
  });

  /** Returns the visitor's question in the form in which the database stores it. */
  async function readStoredText({ id }: Built): Promise<string> {
    const [row] = await parley.database.sql<{ content: string }>(
      "SELECT content FROM messages WHERE conversation_id = $1 AND role = 'user'",
      [id],
    );
    return row!.content;
  }

  it('accept a reply of an agent and a changed title', async () => {
    const built = await build();
    const { owner, client, own, id } = built;
    const reply = await owner.post(`/api/inbox/${id}/reply`, { content: 'It is on its way.' });
    assert.deepEqual([reply.status, reply.body.content], [201, 'It is on its way.']);
    assert.equal((await client.get(`${own}/messages`)).body.at(-1)?.content, 'It is on its way.');
    const scope = { orgId: built.orgId, db: parley.database };
    const { conversations } = parley.runtime.services.conversations;
    await conversations.resolve({ ...scope, userId: built.userId, keyId: null }, id);
    assert.equal((await client.get(own)).body.title, SAID);
  });

  for (const isSealed of [true, false])
    it(`return text that looks encrypted exactly as a visitor and an agent have typed it, if they are ${isSealed ? '' : 'not '}encrypted`, async () => {
      const looksSealed = await readStoredText(await build());
      const { owner, client, visitor, path, own, id } = await build({ isSealed });
      await (await ask(visitor, path, { content: looksSealed })).text();
      assert.equal((await owner.post(`/api/inbox/${id}/reply`, { content: looksSealed })).status, 201);
      const ofTeam = (await client.get(`${own}/messages`)).body;
      const ofVisitor = (await visitor.get(`${path}/messages`)).body;
      for (const messages of [ofTeam, ofVisitor])
        assert.deepEqual(
          messages.filter(({ content }) => content === looksSealed).map(({ role }) => role),
          ['user', 'agent'],
        );
      const transcript = await client.fetch(`${own}/transcript?format=json`);
      assert.ok((await transcript.text()).includes(looksSealed));
    });

  for (const mode of ['refuse', 'hang'] as const)
    it(`return 423 while the key service would ${mode} and no key is cached, write nothing, and work again afterwards`, async () => {
      const { key, token, path, own } = await build();
      const another = await parley.startAnother();
      const [agent, guest] = [another.client(key), another.client(token)];
      vault.front.mode = mode;
      for (const call of [agent.get(own), agent.get(`${own}/messages`), guest.get(`${path}/messages`)]) {
        const refused = await call;
        assert.equal(formatOutcome(refused), '423 key_unavailable');
        assert.equal(refused.headers.get('retry-after'), '5');
      }
      const count = () => parley.database.sql('SELECT count(*)::int AS n FROM messages');
      const before = await count();
      assert.equal(
        formatOutcome(await guest.post(`${path}/messages`, { content: 'Anybody?' })),
        '423 key_unavailable',
      );
      assert.deepEqual(await count(), before);
      vault.front.mode = 'pass';
      const yetAnother = await parley.startAnother();
      assert.equal((await yetAnother.client(key).get(own)).body.title, SAID);
    });

  it('return 423 once the key is refused and its cache has expired, but can still be deleted, ended and bulk-deleted', async () => {
    const built = await build();
    const { client, visitor, path, own, id } = built;
    vault.front.mode = 'refuse';
    expireKeyCache();
    assert.equal(formatOutcome(await client.get(own)), '423 key_unavailable');
    assert.equal((await visitor.post(`${path}/end`)).status, 200);
    assert.equal((await client.delete(own)).status, 200);
    const { body } = await client.post('/api/conversations/bulk', { ids: [id], action: 'delete' });
    assert.equal(body.succeeded, 0);
    assert.deepEqual(await readRowTexts(built), []);
  });
});
