import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import type { UsageDelta } from '../../entities/usage/usage-delta.entity.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { buildBot } from '../support/build-bot.ts';
import { addUsage, buildWorkspaceBelow } from './support.ts';

const USED = { messages: 2, inputTokens: 300, outputTokens: 40, costUsd: 0.25, alerts: 0 };
const READ = { messages: 2, input_tokens: 300, output_tokens: 40, cost_usd: 0.25 };
const NOTHING = { bot_id: null, model: null, messages: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };

describe('listDailyUsage', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  /** Adds usage of a day, by default already added to the stored daily figures. */
  const use = (orgId: string, used: Partial<UsageDelta>, isFolded = true) =>
    addUsage(parley, orgId, { ...USED, ...used }, isFolded);

  async function listUsageDays({ client }: Pick<TestOrg, 'client'>, query: string) {
    const { body, status } = await client.get(`/api/usage/daily?${query}`);
    assert.equal(status, 200);
    return body as Record<string, unknown>[];
  }

  it('returns a row for each day, with folded and unfolded usage added up', async () => {
    const org = await parley.buildOrg();
    await use(org.orgId, { day: '2026-02-28' });
    await use(org.orgId, { day: '2026-02-28', model: 'a' }, false);
    await use(org.orgId, { day: '2026-03-02' }, false);
    assert.deepEqual(await listUsageDays(org, 'from=2026-02-28&to=2026-03-02'), [
      { ...NOTHING, date: '2026-02-28', messages: 4, input_tokens: 600, output_tokens: 80, cost_usd: 0.5 },
      { ...NOTHING, date: '2026-03-01' },
      { ...NOTHING, date: '2026-03-02', ...READ },
    ]);
  });

  it('groups by bots or models, and omits days without usage', async () => {
    const [first, second] = [await buildBot(parley), newId()];
    const botId = first.bot.id as string;
    await use(first.orgId, { day: '2026-03-01', botId, model: 'a' });
    await use(first.orgId, { day: '2026-03-01', botId, model: 'b' }, false);
    await use(first.orgId, { day: '2026-03-01', botId: second, model: 'b' });
    await use(first.orgId, {
      day: '2026-03-02',
      botId,
      model: 'b',
      messages: 0,
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      alerts: 3,
    });
    const range = 'from=2026-03-01&to=2026-03-05';
    const twice = { messages: 4, input_tokens: 600, output_tokens: 80, cost_usd: 0.5 };
    assert.deepEqual(
      await listUsageDays(first, `${range}&group_by=bot`),
      [
        { ...READ, ...twice, date: '2026-03-01', bot_id: botId, model: null },
        { ...READ, date: '2026-03-01', bot_id: second, model: null },
      ].toSorted((one, other) => (one.bot_id < other.bot_id ? -1 : 1)),
    );
    assert.deepEqual(await listUsageDays(first, `${range}&group_by=model`), [
      { ...READ, date: '2026-03-01', bot_id: null, model: 'a' },
      { ...READ, ...twice, date: '2026-03-01', bot_id: null, model: 'b' },
    ]);
    assert.deepEqual(await listUsageDays(first, `${range}&group_by=model&bot_id=${second}`), [
      { ...READ, date: '2026-03-01', bot_id: null, model: 'b' },
    ]);
    assert.equal((await listUsageDays(first, `${range}&bot_id=${botId}`)).length, 5);
  });

  it('returns the last thirty days by default, or the thirty days up to the given day', async () => {
    const org = await parley.buildOrg();
    const byDefault = await listUsageDays(org, '');
    assert.deepEqual(
      [byDefault.length, byDefault.at(-1)!['date']],
      [30, new Date().toISOString().slice(0, 10)],
    );
    const named = await listUsageDays(org, 'to=2026-03-30');
    assert.deepEqual(
      [named.length, named[0]!['date'], named.at(-1)!['date']],
      [30, '2026-03-01', '2026-03-30'],
    );
    assert.equal((await listUsageDays(org, 'from=2024-02-29&to=2025-02-28')).length, 366);
    assert.equal((await listUsageDays(org, 'from=2099-01-01&to=2099-01-02')).length, 2);
    assert.equal((await listUsageDays(org, 'to=9998-12-31')).at(-1)!['date'], '9998-12-31');
    assert.equal((await listUsageDays(org, 'from=2000-01-01&to=2000-01-01')).length, 1);
  });

  it('returns a row for each day of an unused bot, and refuses a bot of another workspace', async () => {
    const [org, other] = [await buildBot(parley), await buildBot(parley)];
    const days = 'from=2026-03-01&to=2026-03-02';
    await use(other.orgId, { day: '2026-03-01', botId: other.bot.id as string });
    const nothing = ['2026-03-01', '2026-03-02'].map((date) => ({ ...NOTHING, date }));
    assert.deepEqual(await listUsageDays(org, `${days}&bot_id=${org.bot.id}`), nothing);
    assert.deepEqual(await listUsageDays(org, `${days}&bot_id=${org.bot.id}&group_by=model`), []);
    const requestBotUsage = async (id: string) =>
      formatOutcome(await org.client.get(`/api/usage/daily?${days}&bot_id=${id}`));
    assert.deepEqual(
      [await requestBotUsage(other.bot.id), await requestBotUsage(newId())],
      ['403 forbidden', '404 not_found'],
    );
  });

  for (const [query, field] of [
    ['from=2026-03-02&to=2026-03-01', 'from'],
    ['from=2024-02-28&to=2025-02-28', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=0000-01-01&to=0000-01-02', 'from'],
    ['to=0000-01-02', 'to'],
    ['to=1999-12-31', 'to'],
    ['to=2026-3-1', 'to'],
    ['to=9999-01-01', 'to'],
    ['from=9999-12-31', 'from'],
    ['from=9999-12-01&to=9999-12-31', 'from'],
    ['group_by=day', 'group_by'],
    ['bot_id=none', 'bot_id'],
    ['include_children=perhaps', 'include_children'],
    ['month=2026-03', 'month'],
  ])
    it(`refuses ${query}, and names ${field}`, async () => {
      const { client } = await parley.buildOrg();
      const response = await client.get(`/api/usage/daily?${query}`);
      assert.equal(formatOutcome(response), '422 validation_error');
      assert.deepEqual(
        response.problem.details.map((detail) => detail.field),
        [field],
      );
    });

  it('refuses more than 10,000 rows', async () => {
    const org = await parley.buildOrg();
    await parley.database.sql(
      `INSERT INTO usage_changes (id, payer_id, org_id, day, model, messages)
       SELECT gen_random_uuid(), $1, $1, date '2026-03-01' + n % 3, 'model ' || n, 1 FROM generate_series(1, 10001) n`,
      [org.orgId],
    );
    const refused = await org.client.get('/api/usage/daily?from=2026-03-01&to=2026-03-03&group_by=model');
    assert.deepEqual(
      [formatOutcome(refused), refused.problem.details[0]!.field],
      ['422 validation_error', 'from'],
    );
    assert.equal((await listUsageDays(org, 'from=2026-03-01&to=2026-03-02&group_by=model')).length, 6667);
    assert.equal((await listUsageDays(org, 'from=2026-03-01&to=2026-03-03')).length, 3);
  });

  it('adds up the caller’s workspace and those below it, and no other workspaces', async () => {
    const top = await parley.buildOrg();
    const buildChild = (parent: string) => buildWorkspaceBelow(parley, parent, 'viewer');
    const middle = await buildChild(top.orgId);
    const [leaf, beside] = [await buildChild(middle.orgId), await buildChild(top.orgId)];
    for (const { orgId } of [top, middle, leaf, beside]) await use(orgId, { day: '2026-03-01' });
    const sumMessages = async (org: TestOrg, query = '') => {
      const [day] = await listUsageDays(org, `from=2026-03-01&to=2026-03-01${query}`);
      const { body } = await org.client.get(`/api/usage?month=2026-03${query}`);
      assert.equal(day!['messages'], body.messages);
      return [body.workspaces, body.messages];
    };
    assert.deepEqual(await sumMessages(middle), [1, 2]);
    assert.deepEqual(await sumMessages(middle, '&include_children=true'), [2, 4]);
    assert.deepEqual(await sumMessages(leaf, '&include_children=true'), [1, 2]);
    assert.deepEqual(await sumMessages(top, '&include_children=true'), [4, 8]);
  });
});
