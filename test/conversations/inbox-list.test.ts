import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { FOLD_INBOX_DELTAS } from '../../repositories/conversations/inbox-delta.sql.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type ApiClient, type TestOrg, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { changeConversation, startActive, startWaiting } from './inbox-support.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { formatOutcome } from '../support/outcome.ts';

const CONVERSATIONS = 8;

describe('listInbox:', () => {
  let model: ModelServer;
  let parley: TestParley;
  before(async () => {
    model = await startModelServer();
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  const buildActive = () => startActive(parley);
  const buildWaiting = () => startWaiting(parley);
  const changeRow = (id: string, changes: string) => changeConversation(parley, id, changes);

  describe('a waiting conversation', () => {
    it('is listed with its known details', async () => {
      const { client, id, bot, session } = await buildWaiting();
      await changeRow(id, "handoff_requested_at = now() - interval '90 seconds'");
      const { body } = await client.get('/api/inbox');
      const { handoff_requested_at, last_message_at, visitor_seen_at, waiting_seconds, ...rest } =
        body.items[0]!;
      assert.deepEqual(rest, {
        id,
        bot_id: bot.id,
        visitor_id: session.visitor_id,
        assigned_at: null,
        assigned_to_id: null,
        assigned_to_name: null,
        contact_email: null,
        contact_name: null,
        handoff_reason: 'My order is lost.',
        page_url: null,
        title: null,
        first_question: null,
        last_visitor_message: null,
        last_message: null,
        last_message_role: null,
        message_count: 0,
        visitor_present: true,
      });
      assert.ok(waiting_seconds >= 90 && waiting_seconds < 120, String(waiting_seconds));
      for (const time of [handoff_requested_at, last_message_at, visitor_seen_at])
        assert.ok(Date.parse(time!));
      assert.deepEqual([body.total, body.has_more], [1, false]);
    });

    it('is listed with its first question and last message, truncated, as in listConversations', async () => {
      const { client, id, visitor, path } = await buildWaiting();
      const readPreviews = async () =>
        Promise.all(
          (['/api/inbox', '/api/conversations'] as const).map(async (list) => {
            const { body } = await client.get(list);
            const { first_question, last_visitor_message, last_message, last_message_role } = body.items[0]!;
            return [first_question, last_visitor_message, last_message, last_message_role];
          }),
        );
      const repeatTwice = (glimpse: unknown[]) => [glimpse, glimpse];
      const question = `Where is my order? ${'x'.repeat(300)}`;
      await visitor.post(`${path}/messages`, { content: question });
      const start = question.slice(0, 200);
      assert.deepEqual(await readPreviews(), repeatTwice([start, start, start, 'user']));
      await client.post(`/api/inbox/${id}/reply`, { content: 'On its way.' });
      assert.deepEqual(await readPreviews(), repeatTwice([start, start, 'On its way.', 'agent']));
      await client.post(`/api/inbox/${id}/assign`, { assigned_to_id: null });
      await visitor.post(`${path}/messages`, { content: 'Thank you.' });
      assert.deepEqual(await readPreviews(), repeatTwice([start, 'Thank you.', 'Thank you.', 'user']));
    });

    it('is not listed while the bot answers it, or after its end', async () => {
      const { client, visitor, path } = await buildActive();
      assert.equal((await client.get('/api/inbox')).body.total, 0);
      await visitor.post(`${path}/handoff`, {});
      assert.equal((await client.get('/api/inbox')).body.total, 1);
      await visitor.post(`${path}/end`);
      assert.equal((await client.get('/api/inbox')).body.total, 0);
    });

    it('is listed by waiting time, longest first', async () => {
      const { client, bot, id } = await buildWaiting();
      const ids = [id];
      for (const minutes of [5, 20, 10]) {
        const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
        await parley.client(body.visitor_token).post(`/api/public/sessions/${body.session_id}/handoff`, {});
        await changeRow(body.session_id, `handoff_requested_at = now() - interval '${minutes} minutes'`);
        ids.push(body.session_id);
      }
      const { body } = await client.get('/api/inbox');
      assert.deepEqual(
        body.items.map((item: { id: string }) => item.id),
        [ids[2], ids[3], ids[1], ids[0]],
      );
    });

    it('is filtered by bot and by assignee', async () => {
      const { client, item, bot, orgId, userId } = await buildWaiting();
      const colleague = await parley.buildOrg({ orgId });
      const readTotals = async () => {
        const queries = ['assigned_to=none', 'assigned_to=me', `assigned_to=${userId}`, `bot_id=${bot.id}`];
        const responses = await Promise.all(queries.map((query) => client.get(`/api/inbox?${query}`)));
        return responses.map(({ body }) => body.total);
      };
      assert.deepEqual(await readTotals(), [1, 0, 0, 1]);
      await client.post(`${item}/claim`);
      assert.deepEqual(await readTotals(), [0, 1, 1, 1]);
      assert.equal((await colleague.client.get('/api/inbox?assigned_to=me')).body.total, 0);
      assert.equal(formatOutcome(await client.get(`/api/inbox?bot_id=${newId()}`)), '404 not_found');
      const refused = await client.get('/api/inbox?assigned_to=somebody');
      assert.equal(formatOutcome(refused), '422 validation_error');
      assert.match(refused.problem.details[0]!.message, /^must look like "me" or "none" or "[0-9a-f-]{36}"$/);
    });

    it('is listed as absent if its visitor is absent', async () => {
      const { client, id } = await buildWaiting();
      await changeRow(id, "visitor_seen_at = now() - interval '2 minutes'");
      assert.equal((await client.get('/api/inbox'))!.body.items[0]!.visitor_present, false);
    });
  });

  describe('the total of the inbox', () => {
    const foldDeltas = () => parley.database.run(FOLD_INBOX_DELTAS);
    const readTotal = async ({ client }: { client: ApiClient }, filter = '') =>
      (await client.get(`/api/inbox?page_size=1${filter}`)).body.total as number;
    /** Returns the recorded changes of one workspace's inbox counts that are not yet added. */
    const listDeltas = async ({ orgId }: { orgId: string }) => {
      const rows = await parley.database.sql<{ change: number }>(
        'SELECT change FROM inbox_changes WHERE org_id = $1 ORDER BY change',
        [orgId],
      );
      return rows.map(({ change }) => change);
    };

    /** Builds a workspace with conversations that wait for the team. */
    async function buildInbox(count: number) {
      const org = await buildActiveBot(parley, { handoff_enabled: true });
      const ids: string[] = [];
      for (let each = 0; each < count; each += 1) {
        const { body } = await parley.client().post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
        await parley.client(body.visitor_token).post(`/api/public/sessions/${body.session_id}/handoff`, {});
        ids.push(body.session_id);
      }
      return { ...org, ids };
    }

    /** Counts the rows of conversations in the inbox, without the recorded changes of the counts. */
    async function countConversations({ orgId }: TestOrg, condition = 'true') {
      const [row] = await parley.database.sql<{ count: number }>(
        `SELECT count(*)::integer AS count FROM conversations
       WHERE org_id = $1 AND status IN ('waiting_human', 'human') AND ${condition}`,
        [orgId],
      );
      return row!.count;
    }

    itInSoak('is exact while agents work concurrently and its deltas are folded', async () => {
      const org = await buildInbox(CONVERSATIONS);
      const colleagues = [org, await parley.buildOrg({ orgId: org.orgId })];
      const steps = ['claim', 'release', 'claim', 'resolve', 'claim', 'release'];
      const work = colleagues.flatMap(({ client }, person) =>
        org.ids.map(async (id, index) => {
          for (const step of steps.slice((index + person) % 3)) {
            const path =
              step === 'resolve' ? `/api/conversations/${id}/resolve` : (`/api/inbox/${id}/${step}` as const);
            assert.ok([200, 404, 409].includes((await client.post(path)).status));
          }
          if (index % 3 === 0) await client.delete(`/api/conversations/${id}`);
        }),
      );
      const folding = (async () => {
        for (let each = 0; each < 20; each += 1) await foldDeltas();
      })();
      await Promise.all([...work, folding]);
      for (const [filter, condition] of [
        ['', 'true'],
        ['&assigned_to=none', 'assigned_to_id IS NULL'],
        ['&assigned_to=me', `assigned_to_id = '${org.userId}'`],
        [`&bot_id=${org.bot.id}`, 'true'],
      ]) {
        assert.equal(await readTotal(org, filter), await countConversations(org, condition), filter);
      }
    });

    itInSoak('is stored as one delta per bot and member after folding', async () => {
      const org = await buildInbox(3);
      await org.client.post(`/api/inbox/${org.ids[0]}/claim`);
      assert.deepEqual(await listDeltas(org), [-1, 1, 1, 1, 1]);
      await foldDeltas();
      assert.deepEqual(await listDeltas(org), [1, 2]);
      assert.deepEqual([await readTotal(org), await readTotal(org, '&assigned_to=me')], [3, 1]);
    });

    itInSoak('is stored as no delta once the inbox is empty', async () => {
      const org = await buildInbox(2);
      await org.client.post('/api/conversations/bulk', { action: 'resolve', ids: org.ids });
      assert.equal(await readTotal(org), 0);
      await foldDeltas();
      assert.deepEqual(await listDeltas(org), []);
    });

    it('decreases with deleted conversations', async () => {
      const org = await buildInbox(3);
      await org.client.delete(`/api/conversations/${org.ids[0]}`);
      assert.equal(await readTotal(org), 2);
      await parley.database.sql('DELETE FROM bots WHERE id = $1', [org.bot.id]);
      assert.equal(await readTotal(org), 0);
    });

    it('counts conversations of a deleted user as unassigned', async () => {
      const org = await buildInbox(1);
      const colleague = await parley.buildOrg({ orgId: org.orgId });
      await colleague.client.post(`/api/inbox/${org.ids[0]}/claim`);
      await parley.database.sql('DELETE FROM users WHERE id = $1', [colleague.userId]);
      assert.equal(await readTotal(org, '&assigned_to=none'), 1);
      const ofFormer = await org.client.get(`/api/inbox?assigned_to=${colleague.userId}`);
      assert.equal(formatOutcome(ofFormer), '404 not_found');
    });
  });
});
