import assert from 'node:assert/strict';
import { openEventStream } from '../support/event-stream.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildSession, findOutboxEvents } from '../support/widget.ts';

const PARALLEL = 12;
const REPLY = JSON.stringify({
  title: 'A lost order',
  summary: 'It was found.',
  sentiment: 'neutral',
  fields: {},
});

describe('a system message', () => {
  let model: ModelServer;
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    model = await startModelServer({ answer: () => REPLY });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
    second = await parley.startAnother();
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  const form = { enabled: true, fields: ['name', 'email'].map((key) => ({ key, label: key })) };

  async function build() {
    const session = await buildSession(parley, { handoff_enabled: true, lead_capture_config: form });
    const id = session.session.session_id as string;
    const own = `/api/conversations/${id}` as const;
    const listMessages = async () => (await session.client.get(`${own}/messages`)).body;
    const listKinds = async () => (await listMessages()).map(({ role, event }) => event?.kind ?? role);
    return { ...session, id, own, item: `/api/inbox/${id}` as const, listMessages, listKinds };
  }

  it('appears in listConversationMessages, and most kinds in listWidgetMessages', async () => {
    const { client, visitor, path, own, item, orgId, userId, listMessages } = await build();
    const grace = await parley.buildOrg({ orgId, role: 'member' });
    await parley.database.sql("UPDATE users SET full_name = 'Grace Hopper' WHERE id = $1", [grace.userId]);
    await visitor.post(`${path}/consent`, { consent: 'granted' });
    await visitor.post(`${path}/lead`, { fields: { name: 'Bo', email: 'bo@example.com' } });
    await visitor.post(`${path}/handoff`, { reason: 'My order is lost.' });
    await client.post(`${item}/claim`);
    await client.post(`${item}/assign`, { assigned_to_id: grace.userId });
    await grace.client.post(`${item}/assign`, { assigned_to_id: null });
    await client.post(`${item}/reply`, { content: 'Here I am.' });
    await client.post(`${item}/release`);
    await client.post(`${own}/resolve`);
    await client.post(`${own}/reopen`);
    await visitor.post(`${path}/handoff`, {});
    await visitor.post(`${path}/consent`, { consent: 'withdrawn' });
    await visitor.post(`${path}/end`);

    const all = await listMessages();
    assert.deepEqual(
      all.map(({ role, content, event }) => [event ?? role, content]),
      [
        [
          { kind: 'consent_changed', consent: 'granted' },
          'The visitor allowed contact details to be stored.',
        ],
        [
          { kind: 'lead_captured', fields: ['name', 'email'] },
          'The visitor left contact details: name, email.',
        ],
        [
          { kind: 'handoff_requested', requested_by: 'visitor', reason: 'My order is lost.' },
          'The visitor asked for a person: My order is lost.',
        ],
        [{ kind: 'agent_joined' }, 'Ada Okafor is now handling the conversation.'],
        [{ kind: 'agent_joined' }, 'Grace Hopper is now handling the conversation.'],
        [{ kind: 'handoff_returned' }, 'Grace Hopper left; the visitor waits for another agent.'],
        [{ kind: 'agent_joined' }, 'Ada Okafor is now handling the conversation.'],
        ['agent', 'Here I am.'],
        [{ kind: 'handoff_released' }, 'Ada Okafor handed the conversation back to the bot.'],
        [{ kind: 'resolved' }, 'Ada Okafor marked the conversation as resolved.'],
        [{ kind: 'reopened' }, 'Ada Okafor reopened the conversation.'],
        [
          { kind: 'handoff_requested', requested_by: 'visitor', reason: null },
          'The visitor asked for a person.',
        ],
        [
          { kind: 'consent_changed', consent: 'withdrawn' },
          'The visitor no longer allows contact details to be stored.',
        ],
        [{ kind: 'ended', ended_by: 'visitor' }, 'The visitor ended the conversation.'],
      ],
    );
    assert.deepEqual(
      all
        .filter(({ role }) => role === 'agent')
        .map((each) => [each.author_name, 'author_id' in each && each.author_id]),
      [['Ada Okafor', userId]],
    );
    const { body: seen } = await visitor.get(`${path}/messages`);
    assert.deepEqual(
      seen.map(({ content, author_name: name }) => [content, name]),
      [
        ["We've notified the team.", null],
        ['Ada joined the chat', 'Ada'],
        ['Grace joined the chat', 'Grace'],
        ['Connecting you to someone else…', null],
        ['Ada joined the chat', 'Ada'],
        ['Here I am.', 'Ada'],
        ["You're back with the assistant", null],
        ['The team marked this as resolved. You can keep chatting with the assistant.', null],
        ['Conversation reopened', null],
        ["We've notified the team.", null],
      ],
    );
  });

  itInSoak('is written once for simultaneous calls at two processes', async () => {
    const { key, session, path, own, item, id, listKinds } = await build();
    const callInParallel = (caller: string, url: string, body?: object) =>
      Promise.all(
        Array.from({ length: PARALLEL }, (_, index) =>
          (index % 2 ? second : parley).client(caller).post(url, body),
        ),
      );
    const token = session.visitor_token as string;
    await callInParallel(token, `${path}/consent`, { consent: 'granted' });
    await callInParallel(token, `${path}/handoff`, {});
    await callInParallel(key, `${item}/claim`);
    await callInParallel(key, `${item}/assign`, { assigned_to_id: 'me' });
    await callInParallel(key, `${item}/release`);
    await callInParallel(key, `${own}/resolve`);
    await callInParallel(key, '/api/conversations/bulk', { ids: [id, id], action: 'reopen' });
    await callInParallel(token, `${path}/handoff`, {});
    await callInParallel(key, `${own}/resolve`);
    assert.deepEqual(await listKinds(), [
      'consent_changed',
      'handoff_requested',
      'agent_joined',
      'handoff_released',
      'resolved',
      'reopened',
      'handoff_requested',
      'resolved',
    ]);
  });

  it('is not written if nothing has changed', async () => {
    const { client, visitor, path, own, item, listKinds } = await build();
    await client.post(`${item}/release`);
    await client.post(`${own}/reopen`);
    await visitor.post(`${path}/end`);
    await visitor.post(`${path}/handoff`, {});
    await client.post(`${item}/claim`);
    assert.deepEqual(await listKinds(), []);
  });

  itInSoak('cancels the change if the message cannot be written', async () => {
    const { visitor, client, path, own, item, id } = await build();
    await parley.database.sql(
      `ALTER TABLE messages ADD CONSTRAINT "untold" CHECK (conversation_id <> '${id}')`,
    );
    try {
      for (const step of ['handoff', 'consent', 'lead'])
        assert.equal(
          (
            await visitor.post(
              `${path}/${step}`,
              { handoff: {}, consent: { consent: 'granted' }, lead: { fields: { name: 'Bo' } } }[step],
            )
          ).status,
          500,
        );
      for (const url of [`${item}/claim`, `${own}/resolve`])
        assert.equal((await client.post(url)).status, 500);
      const { status, resolved, consent, is_lead: isLead } = (await client.get(own)).body;
      assert.deepEqual([status, resolved, consent, isLead], ['active', false, 'unknown', false]);
      assert.equal((await findOutboxEvents(parley, id)).length, 0);
    } finally {
      await parley.database.sql('ALTER TABLE messages DROP CONSTRAINT "untold"');
    }
  });

  it('is not counted, does not update last_message_at, and emits no message.created', async () => {
    const { client, visitor, path, own, item, bot, orgId } = await build();
    const before = (await client.get(own)).body;
    await visitor.post(`${path}/handoff`, {});
    await client.post(`${item}/claim`);
    await client.post(`${item}/release`);
    await client.post(`${own}/resolve`);
    const { message_count: count, last_message_at: lastMessageAt } = (await client.get(own)).body;
    assert.deepEqual([count, lastMessageAt], [0, before.last_message_at]);
    assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_messages, 0);
    assert.deepEqual(
      await parley.database.sql('SELECT messages FROM monthly_usage WHERE org_id = $1', [orgId]),
      [],
    );
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started', 'handoff.requested']);
  });

  it('is not sent to the model and not found by search', async () => {
    const { client, visitor, path, item, id, orgId } = await build();
    await visitor.post(`${path}/handoff`, { reason: 'My zebra is lost.' });
    await client.post(`${item}/reply`, { content: 'It is found.' });
    await client.post(`${item}/release`);
    await visitor.post(`${path}/messages`, { content: 'Where?' });
    assert.deepEqual(model.requests.at(-1)!.body.messages.slice(1), [
      { role: 'assistant', content: 'It is found.' },
      { role: 'user', content: 'Where?' },
    ]);
    const scope = { orgId, db: parley.database };
    await parley.runtime.services.conversations.enrichment.enrich(scope, id, AbortSignal.timeout(10_000));
    const read = model.requests.at(-1)!.body.messages.at(-1)!.content;
    assert.match(read, /^<transcript>\nsupport: "It is found\."\nvisitor: "Where\?"\nassistant: /);
    assert.doesNotMatch(
      JSON.stringify(model.requests),
      /asked for|zebra|here for you|is now handling the conversation/,
    );
    for (const q of ['asked', 'zebra', 'handoff'])
      assert.equal((await client.get(`/api/conversations?q=${q}`)).body.total, 0, q);
  });

  it('is sent to open streams at once, even if neither status nor agent changes', async () => {
    const { client, visitor, path, own } = await build();
    const events = await openEventStream(visitor, `${path}/events`);
    await events.next();
    await client.post(`${own}/resolve`);
    await visitor.post(`${path}/lead`, { fields: { name: 'Bo' } });
    await client.post(`${own}/reopen`);
    for (const kind of ['resolved', 'reopened'])
      assert.equal((await events.next()).data.message.event.kind, kind);
    events.close();
  });

  it('keeps the agent’s name at that time, until the account is deleted', async () => {
    const { client, visitor, path, item, orgId, listMessages } = await build();
    const { userId, client: grace } = await parley.buildOrg({ orgId, role: 'member' });
    const renameAgent = (name: string) =>
      parley.database.sql('UPDATE users SET full_name = $2 WHERE id = $1', [userId, name]);
    await renameAgent('Grace Murray');
    await visitor.post(`${path}/handoff`, {});
    await grace.post(`${item}/reply`, { content: 'Hello.' });
    await renameAgent('Grace Hopper');
    await parley.database.sql('DELETE FROM memberships WHERE user_id = $1', [userId]);
    assert.deepEqual(
      (await listMessages()).slice(1).map(({ author_name: name }) => name),
      ['Grace Murray', 'Grace Murray', 'Grace Hopper'],
    );
    await parley.database.sql('UPDATE users SET is_active = false WHERE id = $1', [userId]);
    await parley.runtime.services.accounts.accounts.delete(parley.database, userId);
    assert.deepEqual(
      (await listMessages()).map(({ content, author_name: name }) => [content, name]),
      [
        ['The visitor asked for a person.', null],
        ['A team member is now handling the conversation.', null],
        ['Hello.', null],
        ['A team member left; the visitor waits for another agent.', null],
      ],
    );
    assert.equal((await client.post(`${item}/claim`)).status, 200);
  });

  it('is deleted when the contact is erased', async () => {
    const { client, visitor, path, orgId } = await build();
    await visitor.post(`${path}/lead`, { fields: { name: 'Bo' } });
    await visitor.post(`${path}/handoff`, { reason: 'Call Bo.' });
    const { body } = await client.get('/api/contacts');
    assert.equal((await client.post(`/api/contacts/${body.items[0]!.id}/erase`)).status, 202);
    assert.deepEqual(await parley.database.sql('SELECT event FROM messages WHERE org_id = $1', [orgId]), []);
  });
});
