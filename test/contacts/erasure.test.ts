import assert from 'node:assert/strict';
import { openEventStream } from '../support/event-stream.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { type ModelServer } from '../support/model-server.ts';
import type {} from '../support/parley.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type TestParleyWithWorker } from '../support/worker.ts';
import { createSessionStarter, buildActiveBot } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';

import { form, useErasure } from './erasure-support.ts';

describe('eraseContact', () => {
  let parley: TestParleyWithWorker;
  let model: ModelServer;
  let browser: ReturnType<typeof createSessionStarter>;
  const { session, identityToken, buildContact, erase, waitUntilErased, dump } = useErasure((...started) => {
    [parley, model] = started;
    browser = createSessionStarter(parley);
  });

  it('returns 409 while the contact is being merged', async () => {
    const org = await buildActiveBot(parley, form);
    const identity_token = await identityToken(org, { sub: 'ada' });
    const verified = await session(org, { visitor_id: 'phone', identity_token });
    const { id, contactId } = await buildContact(org, 'laptop');
    const { merging, erasing } = await parley.database.transaction(async (db) => {
      await db.sql('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [id]);
      const merge = session(org, { visitor_id: 'laptop', identity_token });
      await waitUntilBlocked(parley.database, 'the merge');
      const erasure = org.client.post(`/api/contacts/${contactId}/erase`);
      await waitUntilBlocked(parley.database, 'the erasure', 2);
      return { merging: merge, erasing: erasure };
    });
    await merging;
    const { status, body } = await erasing;
    assert.equal(formatOutcome({ status, body }), '409 conflict');
    const { body: contact } = await org.client.get(`/api/conversations/${verified.id}`);
    assert.equal(contact.contact_name, 'Trillian');
  });

  it('hides everything at once, ends the visitor’s session, and returns 404 the next time', async () => {
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
    for (const response of [
      await visitor.get(path),
      await visitor.post(`${path}/messages`, { content: 'Hello?' }),
    ]) {
      assert.equal(formatOutcome(response), '401 unauthenticated');
      assert.equal(response.problem.error.message, 'The session has expired; start a new one.');
    }
    await waitUntilErased(contactId);
    assert.equal((await client.post(`/api/contacts/${contactId}/erase`)).status, 404);
  });

  itInSoak('erases once for 20 concurrent calls', async () => {
    const org = await buildActiveBot(parley, form);
    const { contactId } = await buildContact(org, 'v-1');
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => org.client.post(`/api/contacts/${contactId}/erase`)),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [202, ...Array.from({ length: 19 }, () => 404)]);
    assert.equal((await org.client.get(`/api/bots/${org.bot.id}`)).body.total_conversations, 0);
    await waitUntilErased(contactId);
  });

  it('creates a new contact for a visitor who returns with the same id or identity', async () => {
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
    for (const id of [old.contactId, contactId]) await waitUntilErased(id);
  });

  it('removes the conversation from the inbox’s stream, and ends the visitor’s stream', async () => {
    const org = await buildActiveBot(parley, form);
    const { contactId, id, path, visitor } = await buildContact(org, 'v-1');
    await visitor.post(`${path}/handoff`, {});
    const inbox = await openEventStream(parley.client(org.key), '/api/inbox/stream');
    const events = await openEventStream(visitor, `${path}/events`);
    assert.equal((await inbox.next()).data.id, id);
    assert.equal((await events.next()).data.status, 'waiting_human');
    await erase(org.client, contactId);
    assert.deepEqual(await inbox.next(), { id: undefined, event: 'removed', data: { id } });
    const { event, data } = await events.next();
    assert.deepEqual([event, data], ['ended', { ended_at: null }]);
    await events.waitUntilClosed();
    inbox.close();
    await waitUntilErased(contactId);
  });

  itInSoak('stores nothing of an answer in progress', async () => {
    const org = await buildActiveBot(parley, form);
    const { contactId, id, path, visitor } = await buildContact(org, 'v-1');
    const requestCount = model.requests.length;
    const response = visitor.post(`${path}/messages`, { content: 'Tell me for ever' });
    await waitUntil(() => model.requests.length > requestCount, 'the model to be asked');
    await erase(org.client, contactId);
    const { status, body } = await response;
    assert.equal(formatOutcome({ status, body }), '401 unauthenticated');
    await waitUntilErased(contactId);
    const { body: bot } = await org.client.get(`/api/bots/${org.bot.id}`);
    assert.deepEqual([bot.total_conversations, bot.total_messages], [0, 0]);
    // Ignore the request log, which keeps the ids of resources that callers requested.
    const isLeft = (line: string) => line.includes(id) && !line.startsWith('request_log ');
    const left = (await dump()).split('\n').filter(isLeft);
    assert.deepEqual(left, []);
  });

  it('requires an admin of the same workspace', async () => {
    const org = await buildActiveBot(parley, form);
    const { contactId } = await buildContact(org, 'v-1');
    const member = await parley.buildOrg({ orgId: org.orgId, role: 'member' });
    assert.equal((await member.client.post(`/api/contacts/${contactId}/erase`)).status, 403);
    const foreign = await parley.buildOrg();
    assert.equal((await foreign.client.post(`/api/contacts/${contactId}/erase`)).status, 403);
    assert.equal((await org.client.get(`/api/contacts/${contactId}`)).status, 200);
  });

  it('deletes pending deliveries at once, and deliveries in progress a moment later', async () => {
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
    const countLeft = async () => {
      const [{ count }] = (await parley.database.sql<{ count: number }>(
        "SELECT count(*)::int FROM webhook_deliveries WHERE payload->>'conversation_id' = $1",
        [id],
      )) as [{ count: number }];
      return count;
    };
    await waitUntil(async () => (await countLeft()) < 5000, 'a batch to be removed');
    release();
    await holding;
    await waitUntilErased(contactId);
    assert.equal(await countLeft(), 0);
    const [{ count }] = (await parley.database.sql<{ count: number }>(
      'SELECT count(*)::int FROM webhook_deliveries WHERE webhook_id = $1',
      [webhook.id],
    )) as [{ count: number }];
    assert.equal(count, 5000);
  });

  itInSoak('leaves exact counts if the person concurrently writes, returns and is merged', async () => {
    const org = await buildActiveBot(parley, form);
    const { client, bot } = org;
    const another = await parley.startAnother();
    for (let round = 0; round < 2; round += 1) {
      const token = await identityToken(org, { sub: 'ada', email: 'ada@work.example' });
      const sessions = await Promise.all(
        ['a', 'b', 'c'].map((visitor_id) => session(org, { visitor_id, identity_token: token })),
      );
      const anonymous = await buildContact(org, 'd');
      const { contact_id: contactId } = (await client.get(`/api/conversations/${sessions[0]!.id}`)).body;
      const responses = await Promise.all([
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
      const unexpected = responses.filter(({ status }) => ![200, 201, 202, 401, 404, 409].includes(status));
      assert.deepEqual(unexpected, []);
    }
    // Start another session, since the last of the random changes may have erased the contact.
    const token = await identityToken(org, { sub: 'ada', email: 'ada@work.example' });
    await session(org, { visitor_id: 'a', identity_token: token });
    const { body: listed } = await client.get('/api/conversations?page_size=100');
    const { body: counted } = await client.get(`/api/bots/${bot.id}`);
    assert.deepEqual(
      [counted.total_conversations, counted.total_messages],
      [listed.total, listed.items.reduce((sum, one) => sum + one.message_count, 0)],
    );
    const { body: contacts } = await client.get('/api/contacts');
    const identities = contacts.items.flatMap(({ identity }: { identity: string | null }) => identity ?? []);
    assert.deepEqual(identities, ['ada']);
  });
});
