import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../core/ids.ts';
import { openEvents } from '../support/event-stream.ts';
import { signedIdentity } from '../support/identity-token.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import type { ApiClient } from '../support/parley.ts';
import { untilBlocked } from '../support/until-blocked.ts';
import { until } from '../support/until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { browserOf, buildActiveBot } from '../support/widget.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import { outcomeOf } from '../support/outcome.ts';

const form = {
  handoff_enabled: true,
  lead_capture_config: {
    enabled: true,
    fields: [
      { key: 'name', label: 'Name' },
      { key: 'email', label: 'E-mail', type: 'email' },
      { key: 'phone', label: 'Phone', type: 'phone' },
      { key: 'ship', label: 'Ship' },
    ],
  },
};

const ZAPHOD = {
  name: 'Zaphod Beeblebrox',
  email: 'zaphod@betelgeuse.example',
  phone: '+44 20 7946 0999',
  ship: 'Heart of Gold',
};
/** What must be nowhere. */
const traces = [
  ...Object.values(ZAPHOD),
  'zaphod-verified',
  'zaphod-laptop',
  'where my towel',
  'presidential-page',
  'Dear Zaphod',
];

describe('POST /api/contacts/{contact_id}/erase', () => {
  let parley: TestParleyWithWorker;
  let browser: ReturnType<typeof browserOf>;
  let model: ModelServer;
  const receivers: Receiver[] = [];

  before(async () => {
    model = await startModelServer({
      answer: ({ messages }) => {
        const question = messages.at(-1)?.content ?? '';
        return question.includes('slowly') ? { text: question, tokenDelayMs: 500 } : `You ask: ${question}`;
      },
    });
    parley = await startParleyWithWorker({
      PARLEY_MODEL_BASE_URL: model.baseUrl,
      PARLEY_MODEL: 'gpt-4o-mini',
      PARLEY_WEBHOOK_RETRY_SCHEDULE: '3600',
    });
    browser = browserOf(parley);
  });
  after(async () => {
    await parley.stop();
    await model.close();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  type Bot = Awaited<ReturnType<typeof buildActiveBot>>;

  async function session({ bot }: Bot, body: object) {
    const { body: started, status } = await browser(bot.public_key, { visitor_id: newId(), ...body });
    assert.equal(status, 201);
    const path = `/api/public/sessions/${started.session_id}`;
    return { id: started.session_id as string, path, visitor: parley.client(started.visitor_token) };
  }

  async function identityToken({ client, bot }: Bot, claims: object): Promise<string> {
    const { body } = await client.get(`/api/bots/${bot.id}/embed`);
    return signedIdentity(body.identity_secret, claims);
  }

  /** A contact of an anonymous visitor. */
  async function buildContact(org: Bot, visitorId: string, fields: object = { name: 'Trillian' }) {
    const one = await session(org, { visitor_id: visitorId });
    await one.visitor.post(`${one.path}/messages`, { content: `Hello from ${visitorId}` });
    await one.visitor.post(`${one.path}/lead`, { fields });
    const { body } = await org.client.get(`/api/conversations/${one.id}`);
    return { ...one, contactId: body.contact_id as string };
  }

  async function erase(client: ApiClient, contactId: string) {
    const { status, body } = await client.post(`/api/contacts/${contactId}/erase`);
    assert.equal(status, 202, JSON.stringify(body));
    assert.equal(typeof body.message, 'string');
  }

  async function erased(contactId: string): Promise<void> {
    const exists = async () =>
      (await parley.database.sql('SELECT FROM contacts WHERE id = $1', [contactId])).length > 0;
    await until(async () => !(await exists()), 'the contact to be gone');
    await parley.temporal.workflow.getHandle(`erase-contact/${contactId}`).result();
  }

  /** Everything that is stored, table by table. */
  async function dump(): Promise<string> {
    const tables = await parley.database.sql<{ name: string }>(
      "SELECT format('%I', relname) AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    const texts = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await parley.database.sql<{ row: string }>(
          `SELECT to_jsonb(t)::text AS row FROM ${name} t`,
        );
        return rows.map(({ row }) => `${name} ${row}`);
      }),
    );
    return texts.flat().join('\n');
  }

  async function storedFiles(): Promise<string> {
    const folder = parley.runtime.settings.home;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join(
      '\n',
    );
  }

  it('leaves no trace of the person in the database and the files, and all of everybody else', async () => {
    const org = await buildActiveBot(parley, form);
    const { client, bot, orgId, key } = org;
    for (const status of [200, 503]) {
      const receiver = await startReceiver((response, { body }) => {
        response.statusCode = status;
        response.end(body);
      });
      receivers.push(receiver);
      const { body: catalogue } = await client.get('/api/webhooks/events');
      const events = catalogue.map(({ name }: { name: string }) => name);
      await client.post('/api/webhooks', { url: receiver.url, events });
    }
    const first = await session(org, {
      visitor_id: 'zaphod-laptop',
      page_url: 'https://x.example/presidential-page',
    });
    await first.visitor.post(
      `${first.path}/messages`,
      { content: 'Do you know where my towel is?' },
      { 'idempotency-key': 'm' },
    );
    await first.visitor.post(`${first.path}/lead`, { fields: ZAPHOD });
    await first.visitor.post(`${first.path}/handoff`, { reason: 'I lost the place where my towel was.' });
    const answer = 'Dear Zaphod, it is in the kitchen.';
    await client.post(`/api/inbox/${first.id}/reply`, { content: answer }, { 'idempotency-key': 'reply' });
    const token = () => identityToken(org, { sub: 'zaphod-verified', email: ZAPHOD.email });
    const second = await session(org, {
      visitor_id: 'zaphod-laptop',
      identity_token: await token(),
    });
    await second.visitor.post(`${second.path}/messages`, { content: 'And where my towel was before?' });
    const { body } = await client.get(`/api/conversations/${second.id}`);
    const contactId = body.contact_id as string;
    await client.patch(`/api/contacts/${contactId}`, { tags: [ZAPHOD.name] }, { 'idempotency-key': 'tags' });
    const deleted = await session(org, { visitor_id: 'zaphod-laptop' });
    await deleted.visitor.post(`${deleted.path}/messages`, { content: 'I forgot where my towel is.' });
    await deleted.visitor.post(`${deleted.path}/lead`, { fields: { name: ZAPHOD.name } });
    await client.delete(`/api/conversations/${deleted.id}`);
    await session(org, { visitor_id: 'zaphod-laptop', identity_token: await token() });
    const other = await buildContact(org, 'trillian');
    await client.patch(
      `/api/contacts/${other.contactId}`,
      { name: 'Trillian A.' },
      { 'idempotency-key': 'other' },
    );
    await until(async () => {
      const [{ isTold }] = (await parley.database.sql<{ isTold: boolean }>(
        `SELECT count(*) FILTER (WHERE event = 'lead.captured') = 6 AND bool_or(status = 'retrying')
           AND count(*) FILTER (WHERE response_body LIKE '%Zaphod%') > 1 AS "isTold"
         FROM webhook_deliveries WHERE org_id = $1`,
        [orgId],
      )) as [{ isTold: boolean }];
      return isTold;
    }, 'both endpoints to be told');
    const before = await dump();
    for (const trace of traces) assert.ok(before.includes(trace), trace);

    await erase(client, contactId);
    await erased(contactId);
    const after = `${await dump()}\n${await storedFiles()}`;
    for (const trace of [...traces, contactId, first.id, second.id, deleted.id])
      assert.ok(
        !after.includes(trace),
        after.split('\n').find((line) => line.includes(trace)),
      );
    const keys = await parley.database.sql<{ key: string }>(
      "SELECT key FROM idempotency_keys WHERE principal LIKE 'key:%' OR principal LIKE 'visitor:%'",
    );
    assert.deepEqual(
      keys.map(({ key }) => key),
      ['other'],
    );

    assert.equal((await client.get(`/api/contacts/${other.contactId}`)).body.name, 'Trillian A.');
    assert.equal((await client.get(`/api/conversations/${other.id}`)).body.messages.length, 3);
    const log = await client.get('/api/webhooks/deliveries?event=lead.captured');
    assert.equal(log.body.total, 2);
    const { body: counted } = await client.get(`/api/bots/${bot.id}`);
    assert.deepEqual([counted.total_conversations, counted.total_messages], [1, 2]);
    assert.equal((await client.get('/api/conversations')).body.total, 1);
    assert.ok(key);
  });

  describe('leaves nothing', () => {
    const contactOf = async ({ client }: Bot, id: string) =>
      (await client.get(`/api/conversations/${id}`)).body.contact_id as string;

    const logged = async (text: string) =>
      (await parley.database.sql('SELECT FROM webhook_deliveries WHERE payload::text LIKE $1', [`%${text}%`]))
        .length;

    async function buildLogged(): Promise<Bot> {
      const org = await buildActiveBot(parley, form);
      await org.client.post('/api/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['message.created'] });
      return org;
    }

    it('of a contact that was merged into it', async () => {
      const org = await buildActiveBot(parley, form);
      const identity_token = await identityToken(org, { sub: 'ada' });
      const { id } = await session(org, { visitor_id: 'phone', identity_token });
      const { contactId: merged } = await buildContact(org, 'laptop', { name: 'Ada' });
      const patch = () =>
        org.client.patch(`/api/contacts/${merged}`, { tags: ['x'] }, { 'idempotency-key': 'ada' });
      assert.equal((await patch()).status, 200);
      await session(org, { visitor_id: 'laptop', identity_token });
      const contactId = await contactOf(org, id);
      await erase(org.client, contactId);
      await erased(contactId);
      assert.equal((await patch()).status, 404);
    });

    it('of what the team said in a conversation that is deleted', async () => {
      const org = await buildActiveBot(parley, form);
      const { id, path, visitor, contactId } = await buildContact(org, 'ada');
      await visitor.post(`${path}/handoff`, {});
      const reply = () =>
        org.client.post(`/api/inbox/${id}/reply`, { content: 'Dear Ada' }, { 'idempotency-key': 'dear' });
      assert.equal((await reply()).status, 201);
      await org.client.delete(`/api/conversations/${id}`);
      await erase(org.client, contactId);
      await erased(contactId);
      assert.equal((await reply()).status, 404);
    });

    it('of the mails that told the team that somebody waits', async () => {
      const org = await buildActiveBot(parley, form);
      await parley.database.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [org.userId]);
      const { id, path, visitor, contactId } = await buildContact(org, 'ada');
      await visitor.post(`${path}/handoff`, {});
      const mails = () => parley.database.sql('SELECT FROM mails WHERE key LIKE $1', [`%/${id}/%`]);
      await until(async () => (await mails()).length === 1, 'the mail about the handoff');
      await erase(org.client, contactId);
      await erased(contactId);
      assert.deepEqual(await mails(), []);
    });

    it('of the start of a session', async () => {
      const org = await buildActiveBot(parley, form);
      const start = () =>
        parley
          .client()
          .post(
            `/api/public/bots/${org.bot.public_key}/sessions`,
            { visitor_id: 'ada' },
            { 'idempotency-key': 'ada-starts' },
          );
      const { body: first } = await start();
      await parley
        .client(first.visitor_token)
        .post(`/api/public/sessions/${first.session_id}/lead`, { fields: { name: 'Ada' } });
      const contactId = await contactOf(org, first.session_id);
      await erase(org.client, contactId);
      await erased(contactId);
      const { body: again } = await start();
      assert.notEqual(again.session_id, first.session_id);
    });

    it('of a conversation that was deleted before the visitor was known', async () => {
      const org = await buildLogged();
      const { id, path, visitor } = await session(org, { visitor_id: 'ada' });
      await visitor.post(`${path}/messages`, { content: 'I live in Baker Street' });
      await until(async () => (await logged('Baker Street')) > 0, 'the message to be logged');
      await org.client.delete(`/api/conversations/${id}`);
      const { contactId } = await buildContact(org, 'ada');
      await erase(org.client, contactId);
      await erased(contactId);
      assert.equal(await logged('Baker Street'), 0);
    });

    it('of conversations with a bot that is deleted', async () => {
      const org = await buildLogged();
      const { body: second } = await org.client.post('/api/bots', { name: 'Second' });
      const { body: bot } = await org.client.patch(`/api/bots/${second.id}`, { status: 'active' });
      const { path, visitor } = await session(org, {
        visitor_id: 'ada',
        identity_token: await identityToken(org, { sub: 'ada' }),
      });
      await visitor.post(`${path}/messages`, { content: 'I live in Fleet Street' });
      const other = { ...org, bot };
      const { id } = await session(other, {
        visitor_id: 'ada',
        identity_token: await identityToken(other, { sub: 'ada' }),
      });
      await until(async () => (await logged('Fleet Street')) > 0, 'the message to be logged');
      await org.client.delete(`/api/bots/${org.bot.id}`);
      const isThere = async () =>
        (await parley.database.sql('SELECT FROM bots WHERE id = $1', [org.bot.id])).length > 0;
      await until(async () => !(await isThere()), 'the bot to be gone');
      const contactId = await contactOf(org, id);
      await erase(org.client, contactId);
      await erased(contactId);
      assert.equal(await logged('Fleet Street'), 0);
    });
  });

  it('is 409 in the moment in which the contact is merged', async () => {
    const org = await buildActiveBot(parley, form);
    const identity_token = await identityToken(org, { sub: 'ada' });
    const verified = await session(org, { visitor_id: 'phone', identity_token });
    const { id, contactId } = await buildContact(org, 'laptop');
    const { merging, erasing } = await parley.database.transaction(async (db) => {
      await db.sql('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [id]);
      const merge = session(org, { visitor_id: 'laptop', identity_token });
      await untilBlocked(parley.database, 'the merge');
      const erasure = org.client.post(`/api/contacts/${contactId}/erase`);
      await untilBlocked(parley.database, 'the erasure', 2);
      return { merging: merge, erasing: erasure };
    });
    await merging;
    const { status, body } = await erasing;
    assert.equal(outcomeOf({ status, body }), '409 conflict');
    const { body: contact } = await org.client.get(`/api/conversations/${verified.id}`);
    assert.equal(contact.contact_name, 'Trillian');
  });

  it('hides everything at once, ends the visitor’s session, and is 404 the next time', async () => {
    const org = await buildActiveBot(parley, form);
    const { client } = org;
    const { contactId, id, path, visitor } = await buildContact(org, 'v-1');
    await erase(client, contactId);
    assert.equal((await client.post(`/api/contacts/${contactId}/erase`)).status, 404);
    assert.equal((await client.get(`/api/contacts/${contactId}`)).status, 404);
    assert.equal((await client.patch(`/api/contacts/${contactId}`, { tags: [] })).status, 404);
    assert.equal((await client.get('/api/contacts')).body.total, 0);
    assert.equal((await client.get(`/api/conversations/${id}`)).status, 404);
    assert.equal((await client.get('/api/conversations')).body.total, 0);
    for (const answer of [
      await visitor.get(path),
      await visitor.post(`${path}/messages`, { content: 'Hello?' }),
    ]) {
      assert.equal(outcomeOf(answer), '401 unauthenticated');
      assert.equal(answer.body.error.message, 'The session has expired; start a new one.');
    }
    await erased(contactId);
    assert.equal((await client.post(`/api/contacts/${contactId}/erase`)).status, 404);
  });

  it('20 times at once is done once', async () => {
    const org = await buildActiveBot(parley, form);
    const { contactId } = await buildContact(org, 'v-1');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => org.client.post(`/api/contacts/${contactId}/erase`)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [202, ...Array.from({ length: 19 }, () => 404)]);
    assert.equal((await org.client.get(`/api/bots/${org.bot.id}`)).body.total_conversations, 0);
    await erased(contactId);
  });

  it('makes the visitor a new contact, who comes back with the same id or the same identity', async () => {
    const org = await buildActiveBot(parley, form);
    const old = await buildContact(org, 'v-1');
    await erase(org.client, old.contactId);
    const again = await buildContact(org, 'v-1');
    assert.notEqual(again.contactId, old.contactId);
    const token = () => identityToken(org, { sub: 'ada' });
    const verified = await session(org, { visitor_id: 'v-1', identity_token: await token() });
    const contactId = (await org.client.get(`/api/conversations/${verified.id}`)).body.contact_id;
    assert.equal(contactId, again.contactId);
    await erase(org.client, contactId);
    const anew = await session(org, { visitor_id: 'v-1', identity_token: await token() });
    const { body: contact } = await org.client.get(
      `/api/contacts/${(await org.client.get(`/api/conversations/${anew.id}`)).body.contact_id}`,
    );
    assert.notEqual(contact.id, contactId);
    assert.deepEqual([contact.identity, contact.conversation_count], ['ada', 1]);
    for (const id of [old.contactId, contactId]) await erased(id);
  });

  it('takes the conversation out of the inbox’s stream, and ends the visitor’s', async () => {
    const org = await buildActiveBot(parley, form);
    const { contactId, id, path, visitor } = await buildContact(org, 'v-1');
    await visitor.post(`${path}/handoff`, {});
    const inbox = await openEvents(parley.client(org.key), '/api/inbox/stream');
    const events = await openEvents(visitor, `${path}/events`);
    assert.equal((await inbox.next()).data.id, id);
    assert.equal((await events.next()).data.status, 'waiting_human');
    await erase(org.client, contactId);
    assert.deepEqual(await inbox.next(), { id: undefined, event: 'removed', data: { id } });
    const { event, data } = await events.next();
    assert.deepEqual([event, data], ['ended', { ended_at: null }]);
    await events.closed();
    inbox.close();
    await erased(contactId);
  });

  it('stores nothing of an answer that is under way', async () => {
    const org = await buildActiveBot(parley, form);
    const { contactId, id, path, visitor } = await buildContact(org, 'v-1');
    const asked = model.requests.length;
    const answer = visitor.post(`${path}/messages`, { content: 'Tell me slowly' });
    await until(() => model.requests.length > asked, 'the model to be asked');
    await erase(org.client, contactId);
    const { status, body } = await answer;
    assert.equal(outcomeOf({ status, body }), '401 unauthenticated');
    await erased(contactId);
    const { body: bot } = await org.client.get(`/api/bots/${org.bot.id}`);
    assert.deepEqual([bot.total_conversations, bot.total_messages], [0, 0]);
    const left = (await dump()).split('\n').filter((line) => line.includes(id));
    assert.deepEqual(left, []);
  });

  it('needs an admin of the same workspace', async () => {
    const org = await buildActiveBot(parley, form);
    const { contactId } = await buildContact(org, 'v-1');
    const member = await parley.buildOrg({ orgId: org.orgId, role: 'member' });
    assert.equal((await member.client.post(`/api/contacts/${contactId}/erase`)).status, 403);
    const foreign = await parley.buildOrg();
    assert.equal((await foreign.client.post(`/api/contacts/${contactId}/erase`)).status, 403);
    assert.equal((await org.client.get(`/api/contacts/${contactId}`)).status, 200);
  });

  it('drops deliveries that wait, and those that are in use a moment later', async () => {
    const org = await buildActiveBot(parley, form);
    const { contactId, id } = await buildContact(org, 'v-1');
    const { body: webhook } = await org.client.post('/api/webhooks', {
      url: 'http://127.0.0.1:9/hook',
      events: ['lead.captured'],
    });
    await org.client.patch(`/api/webhooks/${webhook.id}`, { is_active: false });
    await parley.database.sql(
      `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, status, due_at)
       SELECT gen_random_uuid(), $1, $2, n::text, 'message.created', json_build_object('conversation_id',
         CASE WHEN n % 2 = 0 THEN $3 ELSE gen_random_uuid()::text END), 'pending', now() + interval '1 hour'
       FROM generate_series(1, 10000) n`,
      [org.orgId, webhook.id, id],
    );
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const holding = parley.database.transaction(async (db) => {
      await db.sql(
        `SELECT FROM webhook_deliveries WHERE payload->>'conversation_id' = $1 LIMIT 10 FOR UPDATE`,
        [id],
      );
      await held;
    });
    await erase(org.client, contactId);
    const left = async () => {
      const [{ count }] = (await parley.database.sql<{ count: number }>(
        "SELECT count(*)::int FROM webhook_deliveries WHERE payload->>'conversation_id' = $1",
        [id],
      )) as [{ count: number }];
      return count;
    };
    await until(async () => (await left()) < 5000, 'a batch to be removed');
    release();
    await holding;
    await erased(contactId);
    assert.equal(await left(), 0);
    const [{ count }] = (await parley.database.sql<{ count: number }>(
      'SELECT count(*)::int FROM webhook_deliveries WHERE webhook_id = $1',
      [webhook.id],
    )) as [{ count: number }];
    assert.equal(count, 5000);
  });

  it('leaves exact counts when the person writes, comes back and is merged at the same moment', async () => {
    const org = await buildActiveBot(parley, form);
    const { client, bot } = org;
    const another = await parley.startAnother();
    for (let round = 0; round < 4; round += 1) {
      const token = await identityToken(org, { sub: 'ada', email: 'ada@work.example' });
      const sessions = await Promise.all(
        ['a', 'b', 'c'].map((visitor_id) => session(org, { visitor_id, identity_token: token })),
      );
      const anonymous = await buildContact(org, 'd');
      const { contact_id: contactId } = (await client.get(`/api/conversations/${sessions[0]!.id}`)).body;
      const answers = await Promise.all([
        ...sessions.flatMap(({ visitor, path: own }) => [
          visitor.post(`${own}/messages`, { content: 'Hello' }),
          visitor.post(`${own}/lead`, { fields: { name: 'Ada' } }),
          visitor.post(`${own}/consent`, { consent: 'granted' }),
        ]),
        client.post(`/api/contacts/${contactId}/erase`),
        ...['a', 'd', 'e'].map((visitor_id, index) =>
          browser(bot.public_key, { visitor_id, identity_token: token }, {}, index % 2 ? parley : another),
        ),
        anonymous.visitor.post(`${anonymous.path}/consent`, { consent: 'withdrawn' }),
        client.post('/api/conversations/bulk', { action: 'delete', ids: sessions.map(({ id }) => id) }),
      ]);
      const unexpected = answers.filter(({ status }) => ![200, 201, 202, 401, 404, 409].includes(status));
      assert.deepEqual(unexpected, []);
    }
    // The erasure may have come last.
    const token = await identityToken(org, { sub: 'ada', email: 'ada@work.example' });
    await session(org, { visitor_id: 'a', identity_token: token });
    const { body: listed } = await client.get('/api/conversations?page_size=100');
    const { body: counted } = await client.get(`/api/bots/${bot.id}`);
    assert.deepEqual(
      [counted.total_conversations, counted.total_messages],
      [listed.total, listed.items.reduce((sum: number, one: any) => sum + one.message_count, 0)],
    );
    const { body: contacts } = await client.get('/api/contacts');
    const identities = contacts.items.flatMap(({ identity }: { identity: string | null }) => identity ?? []);
    assert.deepEqual(identities, ['ada']);
  });
});
