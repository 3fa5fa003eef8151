import assert from 'node:assert/strict';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { loadSettings } from '../../core/settings/settings.ts';
import { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { IdleConversationRepository } from '../../repositories/conversations/idle-conversation.repository.ts';
import { IdleConversations } from '../../services/conversations/idle-conversations.ts';
import { OutboxService } from '../../services/outbox/outbox-service.ts';
import { openEvents } from '../support/event-stream.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession, eventsOf } from '../support/widget.ts';
import { outcomeOf } from '../support/outcome.ts';

const idleConversations = new IdleConversations({
  conversations: new IdleConversationRepository(),
  messages: new MessageRepository(),
  outbox: new OutboxService(),
  settings: loadSettings({}),
});

type Session = Awaited<ReturnType<typeof buildSession>>;

describe('an idle conversation', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({}, { hasStoppedClock: true });
  });
  after(() => parley.stop());

  const sweep = (limit?: number) => idleConversations.endBatch(parley.database, limit);

  const read = ({ session }: Session) =>
    parley.database.repository(Conversation).findOneByOrFail({ id: session.session_id });

  /** As it is after the visitor has been silent for that long. */
  async function rest({ session }: Session, time: string): Promise<void> {
    await parley.database.sql(
      `UPDATE conversations SET created_at = created_at - $2::interval, last_message_at = last_message_at - $2::interval
       WHERE id = $1`,
      [session.session_id, time],
    );
  }

  async function buildIdleSession(): Promise<Session> {
    const session = await buildSession(parley);
    await rest(session, '31 minutes');
    return session;
  }

  const endingsOf = async ({ orgId }: Session) =>
    (await eventsOf(parley, orgId)).filter((name) => name === 'conversation.ended').length;

  it('ends after 30 minutes without a message, with its event', async () => {
    const idle = await buildSession(parley);
    await idle.visitor.post(`${idle.path}/messages`, { content: 'Hi' });
    await rest(idle, '30 minutes');
    assert.deepEqual(await sweep(), { ended: 0, isMore: false });
    await parley.passTime(1);
    assert.deepEqual(await sweep(), { ended: 1, isMore: false });
    const { body } = await idle.client.get(`/api/conversations/${idle.session.session_id}`);
    assert.equal(body.status, 'ended');
    const events = await parley.database.sql<{ bot_id: string; payload: object }>(
      "SELECT bot_id, payload FROM outbox WHERE org_id = $1 AND name = 'conversation.ended'",
      [idle.orgId],
    );
    assert.deepEqual(events, [
      {
        bot_id: idle.bot.id,
        payload: {
          conversation_id: idle.session.session_id,
          bot_id: idle.bot.id,
          visitor_id: idle.session.visitor_id,
          page_url: null,
          ended_at: body.ended_at,
          message_count: 2,
          ended_by: 'sweep',
        },
      },
    ]);
    assert.deepEqual(await sweep(), { ended: 0, isMore: false });
    assert.equal(await endingsOf(idle), 1);
    const late = await idle.visitor.post(`${idle.path}/messages`, { content: 'Still there?' });
    assert.equal(outcomeOf(late), '409 conflict');
  });

  it('is one in which nothing was said, however long ago it began', async () => {
    const fresh = await buildSession(parley);
    await rest(fresh, '29 minutes 50 seconds');
    const writing = await buildIdleSession();
    await writing.visitor.post(`${writing.path}/messages`, { content: 'Hi' });
    assert.deepEqual(await sweep(), { ended: 0, isMore: false });
    for (const session of [fresh, writing]) assert.equal((await read(session)).status, 'active');
  });

  for (const status of ['waiting_human', 'human'] as const) {
    it(`ends as ${status} after a day without a word, with its event, its reading and its place in the inbox`, async () => {
      const session = await buildSession(parley);
      const { client, visitor, path } = session;
      await client.patch(`/api/bots/${session.bot.id}`, { handoff_enabled: true });
      assert.equal((await visitor.post(`${path}/handoff`, {})).status, 200);
      assert.equal((await visitor.post(`${path}/messages`, { content: 'Is anybody there?' })).status, 201);
      const { session_id: id } = session.session;
      if (status === 'human') assert.equal((await client.post(`/api/inbox/${id}/claim`)).status, 200);
      await parley.database.sql(
        `UPDATE conversations SET assigned_at = assigned_at - interval '2 days' WHERE id = $1`,
        [id],
      );
      await rest(session, '23 hours 59 minutes 50 seconds');
      assert.deepEqual(await sweep(), { ended: 0, isMore: false });
      assert.equal((await client.get('/api/inbox')).body.total, 1);
      await rest(session, '11 seconds');
      const batches = await Promise.all([sweep(), sweep()]);
      assert.equal(batches[0].ended + batches[1].ended, 1);
      assert.equal((await read(session)).status, 'ended');
      assert.equal((await client.get('/api/inbox')).body.total, 0);
      assert.equal(await endingsOf(session), 1);
      const commands = await parley.database.sql<{ name: string }>(
        "SELECT name FROM outbox WHERE org_id = $1 AND kind = 'command' AND name = 'enrichConversation'",
        [session.orgId],
      );
      assert.equal(commands.length, 1);
      const { body } = await client.get(`/api/conversations/${id}/messages?before=end&limit=1`);
      assert.equal(body[0]!.content, 'The conversation ended after a period of inactivity.');
    });
  }

  it('goes on for a day when somebody of the team has just taken it, or let it go on', async () => {
    const sessions = [await buildSession(parley), await buildSession(parley)];
    for (const [index, session] of sessions.entries()) {
      await rest(session, '25 hours');
      await parley.database.repository(Conversation).update(session.session.session_id, {
        status: 'human',
        ...(index === 0 ? { assignedAt: new Date() } : { reopenedAt: new Date() }),
      });
    }
    assert.deepEqual(await sweep(), { ended: 0, isMore: false });
  });

  it('is told to a visitor who still listens', async () => {
    const session = await buildSession(parley, { handoff_enabled: true });
    await session.visitor.post(`${session.path}/handoff`, {});
    const events = await openEvents(session.visitor, `${session.path}/events`);
    assert.equal((await events.next()).event, 'handoff');
    await rest(session, '25 hours');
    assert.equal((await sweep()).ended, 1);
    assert.equal((await events.next()).event, 'ended');
    events.close();
  });

  it('is left to the purge when its bot was deleted', async () => {
    const session = await buildIdleSession();
    await session.client.delete(`/api/bots/${session.bot.id}`);
    assert.deepEqual(await sweep(), { ended: 0, isMore: false });
    assert.equal(await endingsOf(session), 0);
  });

  it('ends in a batch with others, the oldest first', async () => {
    const sessions = [await buildIdleSession(), await buildIdleSession(), await buildIdleSession()];
    await rest(sessions[2]!, '1 hour');
    assert.deepEqual(await sweep(2), { ended: 2, isMore: true });
    const statuses = async () => (await Promise.all(sessions.map(read))).map(({ status }) => status);
    assert.deepEqual(await statuses(), ['ended', 'active', 'ended']);
    assert.deepEqual(await sweep(2), { ended: 1, isMore: false });
    assert.deepEqual(await statuses(), ['ended', 'ended', 'ended']);
  });

  it('ends once when two sweeps run at once', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, buildIdleSession));
    const batches = await Promise.all([sweep(), sweep(), sweep()]);
    assert.equal(
      batches.reduce((sum, { ended }) => sum + ended, 0),
      10,
    );
    for (const session of sessions) assert.equal(await endingsOf(session), 1);
  });

  it('ends once when its visitor ends it at the same moment', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, buildIdleSession));
    const [ends] = await Promise.all([
      Promise.all(sessions.map(({ visitor, path }) => visitor.post(`${path}/end`))),
      sweep(4),
      sweep(4),
    ]);
    assert.ok(ends.every(({ status }) => status === 200));
    for (const session of sessions) {
      assert.equal((await read(session)).status, 'ended');
      assert.equal(await endingsOf(session), 1);
    }
  });

  it('is none any more when its visitor writes at the same moment', async () => {
    const session = await buildIdleSession();
    const { path, visitor } = session;
    await parley.database.transaction(async (db) => {
      await db.sql('UPDATE conversations SET last_message_at = now() WHERE id = $1', [
        session.session.session_id,
      ]);
      assert.deepEqual(await sweep(), { ended: 0, isMore: false });
    });
    assert.deepEqual(await sweep(), { ended: 0, isMore: false });
    assert.equal((await visitor.post(`${path}/messages`, { content: 'Hi' })).status, 201);
  });

  it('either ends or takes the message, never both', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, buildIdleSession));
    const [answers] = await Promise.all([
      Promise.all(sessions.map(({ visitor, path }) => visitor.post(`${path}/messages`, { content: 'Hi' }))),
      sweep(),
    ]);
    for (const [index, session] of sessions.entries()) {
      const isTaken = answers[index]!.status === 201;
      assert.equal((await read(session)).status, isTaken ? 'active' : 'ended');
      assert.equal(await endingsOf(session), isTaken ? 0 : 1);
      assert.equal((await read(session)).messageCount > 0, isTaken);
    }
  });
});
