import assert from 'node:assert/strict';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { PurgeRepository } from '../../repositories/bots/purge.repository.ts';
import { readDatabaseTime } from '../alerts/support.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildActiveBot, buildSession } from '../support/widget.ts';

/** Usage that the fake model reports for a short answer. */
const ANSWER = { output_tokens: 2, model: 'gpt-4o-mini' };

describe('usage of turns', () => {
  let model: ModelServer;
  let parley: TestParley;
  let processes: TestProcess[];
  before(async () => {
    model = await startModelServer({ answer: () => 'Twelve euros.' });
    const env = { PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: ANSWER.model };
    parley = await startParley(env, { hasStoppedClock: true });
    processes = [parley, await parley.startAnother()];
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  type Org = Pick<Awaited<ReturnType<typeof buildSession>>, 'client'>;

  async function readDailyRows({ client }: Org, query: string) {
    const { body } = await client.get(`/api/usage/daily?${query}`);
    return body as Record<string, string | number | null>[];
  }

  async function moveClockTo(time: Date): Promise<void> {
    await parley.passTime((time.getTime() - (await readDatabaseTime(parley)).getTime()) / 1000);
  }

  it('remains after conversations and bots are deleted', async () => {
    const built = await buildSession(parley);
    await built.visitor.post(`${built.path}/messages`, { content: 'How much is it?' });
    const read = async () => (await built.client.get('/api/usage')).body;
    const before = await read();
    assert.deepEqual([before.messages, before.output_tokens, before.bots], [1, 2, 1]);
    await built.client.delete(`/api/conversations/${built.session.session_id}`);
    assert.deepEqual(await read(), before);
    await built.client.delete(`/api/bots/${built.bot.id}`);
    const scope = { db: parley.database, orgId: built.orgId };
    const purge = new PurgeRepository();
    await purge.deleteContents(scope, built.bot.id, new AbortController().signal);
    await purge.deleteBot(scope, built.bot.id);
    assert.deepEqual(await read(), { ...before, bots: 0 });
    const today = (await readDatabaseTime(parley)).toISOString().slice(0, 10);
    const rows = await readDailyRows(built, `from=${today}&to=${today}&bot_id=${built.bot.id}&group_by=bot`);
    assert.deepEqual(
      rows.map(({ bot_id: id, messages }) => [id, messages]),
      [[built.bot.id, 1]],
    );
  });

  it('includes the tokens of the playground, but no messages', async () => {
    const built = await buildActiveBot(parley);
    const { body: reply } = await built.client.post(`/api/bots/${built.bot.id}/playground`, {
      message: 'How much is it?',
    });
    const { body } = await built.client.get('/api/usage');
    assert.deepEqual(
      [body.messages, body.input_tokens, body.output_tokens, body.cost_usd.toFixed(8)],
      [0, reply.input_tokens, reply.output_tokens, reply.cost_usd!.toFixed(8)],
    );
  });

  itInSoak('equals the rows after concurrent turns, deletions and folds at two processes', async () => {
    const built = await buildActiveBot(parley, { rate_limit_per_minute: 600 });
    const visitors = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const process = processes[index % 2]!;
        const { body } = await process.client().post(`/api/public/bots/${built.bot.public_key}/sessions`, {});
        const path = `/api/public/sessions/${body.session_id}` as const;
        return { id: body.session_id as string, path, client: process.client(body.visitor_token) };
      }),
    );
    const { usageFold } = parley.runtime.services.usage;
    const say = ({ client, path }: (typeof visitors)[number]) =>
      client.post(`${path}/messages`, { content: 'How much is it?' });
    await Promise.all(
      visitors.flatMap((visitor) => [say(visitor), say(visitor), usageFold.foldBatch(parley.database)]),
    );
    const of = { orgId: built.orgId };
    const sum = async () => {
      const rows = await parley.database.repository(Conversation).findBy(of);
      return [
        visitors.length * 2,
        rows.reduce((total, row) => total + row.totalInputTokens, 0),
        rows.reduce((total, row) => total + row.totalOutputTokens, 0),
      ];
    };
    const read = async () => {
      const { body } = await built.client.get('/api/usage');
      return [body.messages, body.input_tokens, body.output_tokens];
    };
    const recount = await sum();
    assert.deepEqual(await read(), recount);
    await Promise.all(
      visitors
        .slice(6)
        .flatMap(({ id }) => [
          built.client.delete(`/api/conversations/${id}`),
          usageFold.foldBatch(parley.database),
        ]),
    );
    assert.deepEqual(await read(), recount);
  });

  itInSoak(
    'includes a turn of the last millisecond of a month in that month, however long its answer takes',
    async () => {
      const now = await readDatabaseTime(parley);
      const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
      const midnight = new Date(Date.UTC(year, month + 1, 1));
      await moveClockTo(new Date(midnight.getTime() - 1));
      const built = await buildSession(parley);
      const say = () => built.visitor.post(`${built.path}/messages`, { content: 'How much is it?' });
      assert.equal((await say()).status, 201);
      await moveClockTo(midnight);
      assert.equal((await say()).status, 201);
      const readMonth = async (day: Date) =>
        (await built.client.get(`/api/usage?month=${day.toISOString().slice(0, 7)}`)).body;
      const [before, after] = [await readMonth(now), await readMonth(midnight)];
      assert.deepEqual([before.messages, after.messages], [1, 1]);
      assert.deepEqual([before.output_tokens, after.output_tokens], [2, 2]);
      const last = new Date(midnight.getTime() - 1).toISOString().slice(0, 10);
      const first = midnight.toISOString().slice(0, 10);
      const rows = await readDailyRows(built, `from=${last}&to=${first}&group_by=model`);
      assert.deepEqual(
        rows.map(({ date, model: name, messages }) => [date, name, messages]),
        [
          [last, ANSWER.model, 1],
          [first, ANSWER.model, 1],
        ],
      );
      assert.equal((await built.client.get('/api/usage')).body.messages, 1);
    },
  );
});
