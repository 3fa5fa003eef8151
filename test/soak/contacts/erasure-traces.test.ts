import assert from 'node:assert/strict';
import type {} from '../../support/parley.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type TestParleyWithWorker } from '../../support/worker.ts';
import { buildActiveBot } from '../../support/widget.ts';
import { startReceiver, type Receiver } from '../../webhooks/receiver.ts';

import { form, useErasure, type Bot } from '../../contacts/erasure-support.ts';

const ZAPHOD = {
  name: 'Zaphod Beeblebrox',
  email: 'zaphod@betelgeuse.example',
  phone: '+44 20 7946 0999',
  ship: 'Heart of Gold',
};
/** Texts about the erased contact that must not remain anywhere. */
const traces = [
  ...Object.values(ZAPHOD),
  'zaphod-verified',
  'zaphod-laptop',
  'where my towel',
  'presidential-page',
  'Dear Zaphod',
];

describe('eraseContact', () => {
  let parley: TestParleyWithWorker;
  const receivers: Receiver[] = [];
  const { session, identityToken, buildContact, erase, waitUntilErased, dump, storedFiles } = useErasure(
    (started) => (parley = started),
  );
  after(() => Promise.all(receivers.map((receiver) => receiver.close())));

  it('leaves no trace of the person in the database and files, and keeps all other people’s data', async () => {
    const org = await buildActiveBot(parley, form);
    const { client, bot, orgId, key } = org;
    for (const status of [200, 503]) {
      const receiver = await startReceiver((response, { body }) => {
        response.statusCode = status;
        response.end(body);
      });
      receivers.push(receiver);
      const { body: catalog } = await client.get('/api/webhooks/events');
      const events = catalog.map(({ name }: { name: string }) => name);
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
    const reply = 'Dear Zaphod, it is in the kitchen.';
    await client.post(`/api/inbox/${first.id}/reply`, { content: reply }, { 'idempotency-key': 'reply' });
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
    await waitUntil(async () => {
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
    await waitUntilErased(contactId);
    const lines = `${await dump()}\n${await storedFiles()}`.split('\n');
    for (const trace of traces)
      assert.deepEqual(
        lines.filter((line) => line.includes(trace)),
        [],
        trace,
      );
    // Ignore the request log, which keeps the ids of resources that callers requested, for 7 days.
    const linesWithoutLog = lines.filter((line) => !line.startsWith('request_log '));
    for (const id of [contactId, first.id, second.id, deleted.id])
      assert.deepEqual(
        linesWithoutLog.filter((line) => line.includes(id)),
        [],
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
    const readContactId = async ({ client }: Bot, id: string) =>
      (await client.get(`/api/conversations/${id}`)).body.contact_id as string;

    const countLogged = async (text: string) =>
      (await parley.database.sql('SELECT FROM webhook_deliveries WHERE payload::text LIKE $1', [`%${text}%`]))
        .length;

    async function buildLogged(): Promise<Bot> {
      const org = await buildActiveBot(parley, form);
      await org.client.post('/api/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['message.created'] });
      return org;
    }

    it('of a contact that was merged into the erased contact', async () => {
      const org = await buildActiveBot(parley, form);
      const identity_token = await identityToken(org, { sub: 'ada' });
      const { id } = await session(org, { visitor_id: 'phone', identity_token });
      const { contactId: merged } = await buildContact(org, 'laptop', { name: 'Ada' });
      const patch = () =>
        org.client.patch(`/api/contacts/${merged}`, { tags: ['x'] }, { 'idempotency-key': 'ada' });
      assert.equal((await patch()).status, 200);
      await session(org, { visitor_id: 'laptop', identity_token });
      const contactId = await readContactId(org, id);
      await erase(org.client, contactId);
      await waitUntilErased(contactId);
      assert.equal((await patch()).status, 404);
    });

    it('of the team’s messages in a deleted conversation', async () => {
      const org = await buildActiveBot(parley, form);
      const { id, path, visitor, contactId } = await buildContact(org, 'ada');
      await visitor.post(`${path}/handoff`, {});
      const reply = () =>
        org.client.post(`/api/inbox/${id}/reply`, { content: 'Dear Ada' }, { 'idempotency-key': 'dear' });
      assert.equal((await reply()).status, 201);
      await org.client.delete(`/api/conversations/${id}`);
      await erase(org.client, contactId);
      await waitUntilErased(contactId);
      assert.equal((await reply()).status, 404);
    });

    it('of the emails about the waiting visitor', async () => {
      const org = await buildActiveBot(parley, form);
      await parley.database.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [org.userId]);
      const { id, path, visitor, contactId } = await buildContact(org, 'ada');
      await visitor.post(`${path}/handoff`, {});
      const mails = () => parley.database.sql('SELECT FROM mails WHERE key LIKE $1', [`%/${id}/%`]);
      await waitUntil(async () => (await mails()).length === 1, 'the email about the handoff');
      await erase(org.client, contactId);
      await waitUntilErased(contactId);
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
      const contactId = await readContactId(org, first.session_id);
      await erase(org.client, contactId);
      await waitUntilErased(contactId);
      const { body: again } = await start();
      assert.notEqual(again.session_id, first.session_id);
    });

    it('of a conversation deleted before the visitor was identified', async () => {
      const org = await buildLogged();
      const { id, path, visitor } = await session(org, { visitor_id: 'ada' });
      await visitor.post(`${path}/messages`, { content: 'I live in Baker Street' });
      await waitUntil(async () => (await countLogged('Baker Street')) > 0, 'the message to be logged');
      await org.client.delete(`/api/conversations/${id}`);
      const { contactId } = await buildContact(org, 'ada');
      await erase(org.client, contactId);
      await waitUntilErased(contactId);
      assert.equal(await countLogged('Baker Street'), 0);
    });

    it('of conversations with a deleted bot', async () => {
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
      await waitUntil(async () => (await countLogged('Fleet Street')) > 0, 'the message to be logged');
      await org.client.delete(`/api/bots/${org.bot.id}`);
      const isThere = async () =>
        (await parley.database.sql('SELECT FROM bots WHERE id = $1', [org.bot.id])).length > 0;
      await waitUntil(async () => !(await isThere()), 'the bot to be gone');
      const contactId = await readContactId(org, id);
      await erase(org.client, contactId);
      await waitUntilErased(contactId);
      assert.equal(await countLogged('Fleet Street'), 0);
    });
  });
});
