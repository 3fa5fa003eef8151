import assert from 'node:assert/strict';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { loadSettings } from '../../core/settings/settings.ts';
import { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { IdleConversationRepository } from '../../repositories/conversations/idle-conversation.repository.ts';
import { IdleConversations } from '../../services/conversations/idle-conversations.ts';
import { OutboxService } from '../../services/outbox/outbox-service.ts';
import { openEventStream } from '../support/event-stream.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession, findOutboxEvents } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';

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

  const sweepIdle = (limit?: number) => idleConversations.endBatch(parley.database, limit);

  const findConversation = ({ session }: Session) =>
    parley.database.repository(Conversation).findOneByOrFail({ id: session.session_id });

  /** Moves the conversation's times back, as if the visitor had been silent for that long. */
  async function ageConversation({ session }: Session, time: string): Promise<void> {
    await parley.database.sql(
      `UPDATE conversations SET created_at = created_at - $2::interval, last_message_at = last_message_at - $2::interval
       WHERE id = $1`,
      [session.session_id, time],
    );
  }

  async function buildIdleSession(): Promise<Session> {
    const session = await buildSession(parley);
    await ageConversation(session, '31 minutes');
    return session;
  }

  const countEndings = async ({ orgId }: Session) =>
    (await findOutboxEvents(parley, orgId)).filter((name) => name === 'conversation.ended').length;

  it('ends after 30 minutes without a message, and emits conversation.ended', async () => {
    const idle = await buildSession(parley);
    await idle.visitor.post(`${idle.path}/messages`, { content: 'Hi' });
    await ageConversation(idle, '30 minutes');
    assert.deepEqual(await sweepIdle(), { ended: 0, isMore: false });
    await parley.passTime(1);
    assert.deepEqual(await sweepIdle(), { ended: 1, isMore: false });
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
    assert.deepEqual(await sweepIdle(), { ended: 0, isMore: false });
    assert.equal(await countEndings(idle), 1);
    const late = await idle.visitor.post(`${idle.path}/messages`, { content: 'Still there?' });
    assert.equal(formatOutcome(late), '409 conflict');
  });

  it('does not end if it began or got a message in the last 30 minutes', async () => {
    const recent = await buildSession(parley);
    await ageConversation(recent, '29 minutes 50 seconds');
    const writing = await buildIdleSession();
    await writing.visitor.post(`${writing.path}/messages`, { content: 'Hi' });
    assert.deepEqual(await sweepIdle(), { ended: 0, isMore: false });
    for (const session of [recent, writing]) assert.equal((await findConversation(session)).status, 'active');
  });

  for (const status of ['waiting_human', 'human'] as const) {
    it(`ends as ${status} after a day without a message, leaves the inbox and is enriched`, async () => {
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
      await ageConversation(session, '23 hours 59 minutes 50 seconds');
      assert.deepEqual(await sweepIdle(), { ended: 0, isMore: false });
      assert.equal((await client.get('/api/inbox')).body.total, 1);
      await ageConversation(session, '11 seconds');
      const batches = await Promise.all([sweepIdle(), sweepIdle()]);
      assert.equal(batches[0].ended + batches[1].ended, 1);
      assert.equal((await findConversation(session)).status, 'ended');
      assert.equal((await client.get('/api/inbox')).body.total, 0);
      assert.equal(await countEndings(session), 1);
      const commands = await parley.database.sql<{ name: string }>(
        "SELECT name FROM outbox WHERE org_id = $1 AND kind = 'command' AND name = 'enrichConversation'",
        [session.orgId],
      );
      assert.equal(commands.length, 1);
      const { body } = await client.get(`/api/conversations/${id}/messages?before=end&limit=1`);
      assert.equal(body[0]!.content, 'The conversation ended after a period of inactivity.');
    });
  }

  it('remains active for a day after an agent has claimed or reopened it', async () => {
    const sessions = [await buildSession(parley), await buildSession(parley)];
    for (const [index, session] of sessions.entries()) {
      await ageConversation(session, '25 hours');
      await parley.database.repository(Conversation).update(session.session.session_id, {
        status: 'human',
        ...(index === 0 ? { assignedAt: new Date() } : { reopenedAt: new Date() }),
      });
    }
    assert.deepEqual(await sweepIdle(), { ended: 0, isMore: false });
  });

  it('sends ended to a visitor’s open stream', async () => {
    const session = await buildSession(parley, { handoff_enabled: true });
    await session.visitor.post(`${session.path}/handoff`, {});
    const events = await openEventStream(session.visitor, `${session.path}/events`);
    assert.equal((await events.next()).event, 'handoff');
    await ageConversation(session, '25 hours');
    assert.equal((await sweepIdle()).ended, 1);
    assert.equal((await events.next()).event, 'ended');
    events.close();
  });

  it('is purged, not ended, if its bot was deleted', async () => {
    const session = await buildIdleSession();
    await session.client.delete(`/api/bots/${session.bot.id}`);
    assert.deepEqual(await sweepIdle(), { ended: 0, isMore: false });
    assert.equal(await countEndings(session), 0);
  });

  itInSoak('ends in batches, oldest first', async () => {
    const sessions = [await buildIdleSession(), await buildIdleSession(), await buildIdleSession()];
    await ageConversation(sessions[2]!, '1 hour');
    assert.deepEqual(await sweepIdle(2), { ended: 2, isMore: true });
    const listStatuses = async () =>
      (await Promise.all(sessions.map(findConversation))).map(({ status }) => status);
    assert.deepEqual(await listStatuses(), ['ended', 'active', 'ended']);
    assert.deepEqual(await sweepIdle(2), { ended: 1, isMore: false });
    assert.deepEqual(await listStatuses(), ['ended', 'ended', 'ended']);
  });

  itInSoak('ends once if several sweeps run at the same time', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, buildIdleSession));
    const batches = await Promise.all([sweepIdle(), sweepIdle(), sweepIdle()]);
    assert.equal(
      batches.reduce((sum, { ended }) => sum + ended, 0),
      10,
    );
    for (const session of sessions) assert.equal(await countEndings(session), 1);
  });

  itInSoak('ends once if its visitor ends it at the same time', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, buildIdleSession));
    const [ends] = await Promise.all([
      Promise.all(sessions.map(({ visitor, path }) => visitor.post(`${path}/end`))),
      sweepIdle(4),
      sweepIdle(4),
    ]);
    assert.ok(ends.every(({ status }) => status === 200));
    for (const session of sessions) {
      assert.equal((await findConversation(session)).status, 'ended');
      assert.equal(await countEndings(session), 1);
    }
  });

  itInSoak('is skipped while a visitor’s message is being written', async () => {
    const session = await buildIdleSession();
    const { path, visitor } = session;
    await parley.database.transaction(async (db) => {
      await db.sql('UPDATE conversations SET last_message_at = now() WHERE id = $1', [
        session.session.session_id,
      ]);
      assert.deepEqual(await sweepIdle(), { ended: 0, isMore: false });
    });
    assert.deepEqual(await sweepIdle(), { ended: 0, isMore: false });
    assert.equal((await visitor.post(`${path}/messages`, { content: 'Hi' })).status, 201);
  });

  itInSoak('either ends or accepts a simultaneous message', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, buildIdleSession));
    const [answers] = await Promise.all([
      Promise.all(sessions.map(({ visitor, path }) => visitor.post(`${path}/messages`, { content: 'Hi' }))),
      sweepIdle(),
    ]);
    for (const [index, session] of sessions.entries()) {
      const isTaken = answers[index]!.status === 201;
      assert.equal((await findConversation(session)).status, isTaken ? 'active' : 'ended');
      assert.equal(await countEndings(session), isTaken ? 0 : 1);
      assert.equal((await findConversation(session)).messageCount > 0, isTaken);
    }
  });
});
