import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot, buildSession } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';

const NOT_FOUND = 'not_found: There is no such conversation.';
const FORBIDDEN = 'forbidden: This conversation belongs to another workspace.';

describe('bulkUpdateConversations', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const succeed = (id: string) => ({ id, ok: true, error: null });

  /** Builds an active bot with this many visitor sessions. */
  async function build(count: number) {
    const org = await buildActiveBot(parley);
    const openSession = () => parley.client().post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
    const sessions = await Promise.all(Array.from({ length: count }, openSession));
    const ids = sessions.map(({ body }) => body.session_id as string);
    const applyAction = (action: string, asked: string[] = ids) =>
      org.client.post('/api/conversations/bulk', { ids: asked, action });
    return {
      ...org,
      ids,
      apply: applyAction,
      tokens: sessions.map(({ body }) => body.visitor_token as string),
    };
  }

  const findRows = (orgId: string) =>
    parley.database.repository(Conversation).find({ where: { orgId }, order: { id: 'ASC' } });

  it('resolves, reopens or deletes all conversations, and returns results in the order of the ids', async () => {
    const { orgId, ids, apply, client, bot } = await build(3);
    const all = { results: ids.map(succeed), succeeded: 3, failed: 0 };
    const reversed = ids.toReversed();
    const { status, body } = await apply('resolve', reversed);
    assert.deepEqual([status, body], [200, { ...all, results: reversed.map(succeed) }]);
    assert.ok((await findRows(orgId)).every(({ isResolved }) => isResolved));

    await parley.database.repository(Conversation).update(ids[0]!, { status: 'ended', endedAt: new Date() });
    assert.deepEqual((await apply('reopen')).body, all);
    for (const row of await findRows(orgId))
      assert.deepEqual([row.isResolved, row.status, row.endedAt], [false, 'active', null]);

    assert.deepEqual((await apply('delete')).body, all);
    assert.deepEqual(await findRows(orgId), []);
    assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_conversations, 0);
  });

  it('returns a result per id: not_found, forbidden or success', async () => {
    const { ids, apply } = await build(2);
    const foreign = (await buildSession(parley)).session.session_id as string;
    const unknown = newId();
    for (const action of ['resolve', 'reopen', 'delete']) {
      const { status, body } = await apply(action, [foreign, ids[0]!, unknown, 'not-an-id', '', ids[1]!]);
      assert.equal(status, 200);
      assert.deepEqual(body, {
        results: [
          { id: foreign, ok: false, error: FORBIDDEN },
          succeed(ids[0]!),
          { id: unknown, ok: false, error: NOT_FOUND },
          { id: 'not-an-id', ok: false, error: NOT_FOUND },
          { id: '', ok: false, error: NOT_FOUND },
          succeed(ids[1]!),
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

  it('returns two results for an id that is named twice', async () => {
    const { ids, apply, client, bot } = await build(2);
    const [first, second] = ids as [string, string];
    const twice = [first, second, first.toUpperCase()];
    assert.deepEqual((await apply('resolve', twice)).body, {
      results: twice.map(succeed),
      succeeded: 3,
      failed: 0,
    });
    assert.deepEqual((await apply('delete', twice)).body, {
      results: [succeed(first), succeed(second), { id: first.toUpperCase(), ok: false, error: NOT_FOUND }],
      succeeded: 2,
      failed: 1,
    });
    assert.equal((await client.get(`/api/bots/${bot.id}`)).body.total_conversations, 0);
  });

  it('accepts 1 to 200 ids', async () => {
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

  it('requires the role admin to delete, and member for other actions', async () => {
    const { orgId, ids } = await build(1);
    const { client } = await parley.buildOrg({ orgId, role: 'member' });
    const refused = await client.post('/api/conversations/bulk', { ids, action: 'delete' });
    assert.equal(formatOutcome(refused), '403 forbidden');
    assert.equal((await findRows(orgId)).length, 1);
    const { body } = await client.post('/api/conversations/bulk', { ids, action: 'resolve' });
    assert.equal(body.succeeded, 1);
  });

  itInSoak(
    'deletes each conversation once if several calls name them in different orders, while visitors write',
    async () => {
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
      assert.deepEqual(await findRows(orgId), []);
      const { body } = await client.get(`/api/bots/${bot.id}`);
      assert.deepEqual([body.total_conversations, body.total_messages], [0, 0]);
    },
  );
});
