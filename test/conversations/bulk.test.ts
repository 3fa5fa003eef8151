import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { sharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot, buildSession } from '../support/widget.ts';
import { outcomeOf } from '../support/outcome.ts';

const NOT_FOUND = 'not_found: There is no such conversation.';
const FORBIDDEN = 'forbidden: This conversation belongs to another workspace.';

describe('bulkUpdateConversations', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await sharedParley();
  });

  const done = (id: string) => ({ id, ok: true, error: null });

  /** A workspace's conversations with a bot. */
  async function build(count: number) {
    const org = await buildActiveBot(parley);
    const open = () => parley.client().post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
    const sessions = await Promise.all(Array.from({ length: count }, open));
    const ids = sessions.map(({ body }) => body.session_id as string);
    const apply = (action: string, asked: string[] = ids) =>
      org.client.post('/api/conversations/bulk', { ids: asked, action });
    return { ...org, ids, apply, tokens: sessions.map(({ body }) => body.visitor_token as string) };
  }

  const rowsOf = (orgId: string) =>
    parley.database.repository(Conversation).find({ where: { orgId }, order: { id: 'ASC' } });

  it('resolves, reopens and deletes all of them, and returns them in the order asked', async () => {
    const { orgId, ids, apply, client, bot } = await build(3);
    const all = { results: ids.map(done), succeeded: 3, failed: 0 };
    const reversed = ids.toReversed();
    const { status, body } = await apply('resolve', reversed);
    assert.deepEqual([status, body], [200, { ...all, results: reversed.map(done) }]);
    assert.ok((await rowsOf(orgId)).every(({ isResolved }) => isResolved));

    await parley.database.repository(Conversation).update(ids[0]!, { status: 'ended', endedAt: new Date() });
    assert.deepEqual((await apply('reopen')).body, all);
    for (const row of await rowsOf(orgId))
      assert.deepEqual([row.isResolved, row.status, row.endedAt], [false, 'active', null]);

    assert.deepEqual((await apply('delete')).body, all);
    assert.deepEqual(await rowsOf(orgId), []);
    assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_conversations, 0);
  });

  it('reports for each id itself: unknown, malformed, another workspace’s, and those there are', async () => {
    const { ids, apply } = await build(2);
    const foreign = (await buildSession(parley)).session.session_id as string;
    const unknown = newId();
    for (const action of ['resolve', 'reopen', 'delete']) {
      const { status, body } = await apply(action, [foreign, ids[0]!, unknown, 'not-an-id', '', ids[1]!]);
      assert.equal(status, 200);
      assert.deepEqual(body, {
        results: [
          { id: foreign, ok: false, error: FORBIDDEN },
          done(ids[0]!),
          { id: unknown, ok: false, error: NOT_FOUND },
          { id: 'not-an-id', ok: false, error: NOT_FOUND },
          { id: '', ok: false, error: NOT_FOUND },
          done(ids[1]!),
        ],
        succeeded: 2,
        failed: 4,
      });
    }
    assert.equal(
      (await parley.database.repository(Conversation).findOneBy({ id: foreign }))?.isResolved,
      false,
    );
  });

  it('returns for an id that is named twice what two calls would', async () => {
    const { ids, apply, client, bot } = await build(2);
    const [first, second] = ids as [string, string];
    const twice = [first, second, first.toUpperCase()];
    assert.deepEqual((await apply('resolve', twice)).body, {
      results: twice.map(done),
      succeeded: 3,
      failed: 0,
    });
    assert.deepEqual((await apply('delete', twice)).body, {
      results: [done(first), done(second), { id: first.toUpperCase(), ok: false, error: NOT_FOUND }],
      succeeded: 2,
      failed: 1,
    });
    assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_conversations, 0);
  });

  it('takes 1 to 200 ids', async () => {
    const { apply } = await build(0);
    const { status, body } = await apply(
      'resolve',
      Array.from({ length: 200 }, () => newId()),
    );
    assert.deepEqual([status, body.succeeded, body.failed], [200, 0, 200]);
    for (const ids of [[], Array.from({ length: 201 }, () => newId())]) {
      const refused = await apply('resolve', ids);
      assert.deepEqual([refused.status, refused.problem.details[0]!.field], [422, 'ids']);
    }
    const { status: unknownAction, problem } = await apply('archive', [newId()]);
    assert.deepEqual([unknownAction, problem.details[0]?.field], [422, 'action']);
  });

  it('deletes for an admin only; a member may do the rest', async () => {
    const { orgId, ids } = await build(1);
    const { client } = await parley.buildOrg({ orgId, role: 'member' });
    const refused = await client.post('/api/conversations/bulk', { ids, action: 'delete' });
    assert.equal(outcomeOf(refused), '403 forbidden');
    assert.equal((await rowsOf(orgId)).length, 1);
    const { body } = await client.post('/api/conversations/bulk', { ids, action: 'resolve' });
    assert.equal(body.succeeded, 1);
  });

  it('deletes each once when several calls name the same ones in another order, while visitors write', async () => {
    const { orgId, ids, tokens, apply, client, bot } = await build(8);
    const [answers] = await Promise.all([
      Promise.all([apply('delete', ids), apply('delete', ids.toReversed()), apply('delete', ids)]),
      Promise.all(
        ids.map((id, index) =>
          parley.client(tokens[index]).post(`/api/public/sessions/${id}/messages`, { content: 'Hi' }),
        ),
      ),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(
      answers.reduce((sum, { body }) => sum + body.succeeded, 0),
      8,
    );
    assert.deepEqual(await rowsOf(orgId), []);
    const { body } = await client.get(`/api/bots/${bot.id}`);
    assert.deepEqual([body.total_conversations, body.total_messages], [0, 0]);
  });
});
