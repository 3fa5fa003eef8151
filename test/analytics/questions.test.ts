import assert from 'node:assert/strict';
import { formatUtcDay } from '../../core/day-range.ts';
import { DAY_MS } from '../../core/local-clock.ts';
import { newId } from '../../core/ids.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';
import { groupAll, buildQuestionScene } from './question-support.ts';

const PATH = '/api/analytics/questions';
const NOON = new Date('2026-11-20T12:00:00.000Z');
const daysBefore = (days: number) => new Date(NOON.getTime() - days * DAY_MS);

describe('listTopQuestions', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley({}, { clock: { now: () => NOON } })));
  after(() => parley.stop());
  const build = () => buildQuestionScene(parley, NOON);

  it('counts a question across its wordings, and shows its newest wording and its conversations', async () => {
    const { botId, ask, list } = await build();
    const at = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000);
    await ask('What are your opening hours in Berlin?', { at: at(9), isUnanswered: true });
    const second = await ask('opening hours berlin', { at: at(8) });
    const third = await ask('Hello, opening hours in Berlin?', { at: at(7), isUnanswered: true });
    const fourth = await ask('Opening hours in Berlin, please', { at: at(6) });
    const other = await ask('Do you repair tandems?', { at: at(5) });
    await groupAll(parley);
    const found = await list();
    assert.deepEqual(
      found.map(({ id: _id, ...rest }) => rest),
      [
        {
          bot_id: botId,
          question: 'Opening hours in Berlin, please',
          asked: 4,
          unanswered: 2,
          last_asked_at: '2026-11-20T11:54:00.000Z',
          conversation_ids: [fourth, third, second].map(({ conversationId }) => conversationId),
        },
        {
          bot_id: botId,
          question: 'Do you repair tandems?',
          asked: 1,
          unanswered: 0,
          last_asked_at: '2026-11-20T11:55:00.000Z',
          conversation_ids: [other.conversationId],
        },
      ],
    );
  });

  it('counts a repeated question each time, and counts only the earlier question as unanswered if the repetition is answered', async () => {
    const { ask, list } = await build();
    const { conversationId } = await ask('Do you repair tandems?', { isUnanswered: true, at: daysBefore(1) });
    await groupAll(parley);
    await ask('Do you repair tandems?', { conversationId, at: NOON });
    await groupAll(parley);
    const [found] = await list();
    assert.deepEqual([found!.asked, found!.unanswered, found!.conversation_ids], [2, 1, [conversationId]]);
  });

  it('truncates a question to 500 characters with an ellipsis', async () => {
    const { ask, list } = await build();
    const fits = 'Do you repair tandems?'.padEnd(500, '!');
    await ask(fits, { at: daysBefore(1) });
    await groupAll(parley);
    assert.equal((await list())[0]!.question, fits);
    await ask(`Do you repair tandems?${'😀'.repeat(9000)}`, { at: NOON });
    await groupAll(parley);
    const [found] = await list();
    assert.deepEqual([found!.asked, found!.question], [2, `Do you repair tandems?${'😀'.repeat(238)}…`]);
  });

  it('sorts by unanswered or asked, then by asked, in a stable order', async () => {
    const { ask, list } = await build();
    for (const [question, asked, unanswered] of [
      ['Do you repair tandems?', 3, 1],
      ['Which helmets fit children?', 4, 0],
      ['Where is the workshop?', 2, 2],
      ['Can dogs ride along?', 2, 1],
      ['Are gift cards refundable?', 1, 0],
      ['Is parking free nearby?', 1, 0],
    ] as const)
      for (let n = 0; n < asked; n += 1) await ask(question, { isUnanswered: n < unanswered });
    await groupAll(parley);
    const questions = async (query: string) => (await list(query)).map(({ question }) => question);
    const [workshop, tandems, dogs, helmets, ...rare] = await questions('');
    assert.deepEqual(
      [workshop, tandems, dogs, helmets],
      [
        'Where is the workshop?',
        'Do you repair tandems?',
        'Can dogs ride along?',
        'Which helmets fit children?',
      ],
    );
    assert.deepEqual(rare.toSorted(), ['Are gift cards refundable?', 'Is parking free nearby?']);
    assert.deepEqual(await questions('?sort=asked'), [helmets, tandems, workshop, dogs, ...rare]);
    assert.deepEqual(await questions('?sort=unanswered&limit=2'), [workshop, tandems]);
    assert.deepEqual(await questions('?sort=asked&limit=5'), [helmets, tandems, workshop, dogs, rare[0]]);
  });

  it('accepts days in UTC, both inclusive, and defaults to 30 days', async () => {
    const { ask, list } = await build();
    for (const time of [
      '2026-10-21T23:59:59.999Z',
      '2026-10-22T00:00:00.000Z',
      '2026-11-19T23:59:59.999Z',
      '2026-11-20T00:00:00.000Z',
    ])
      await ask('Do you repair tandems?', { at: new Date(time), isUnanswered: true });
    await groupAll(parley);
    const counts = async (query: string) =>
      (await list(query)).map(({ asked, last_asked_at: last }) => [asked, last]);
    assert.deepEqual(await counts(''), [[3, '2026-11-20T00:00:00.000Z']]);
    assert.deepEqual(await counts('?from=2026-10-21'), [[4, '2026-11-20T00:00:00.000Z']]);
    assert.deepEqual(await counts('?to=2026-11-19'), [[3, '2026-11-19T23:59:59.999Z']]);
    assert.deepEqual(await counts('?from=2026-10-22&to=2026-10-22'), [[1, '2026-10-22T00:00:00.000Z']]);
    assert.deepEqual(await counts('?from=2026-10-23&to=2026-11-18'), []);
    assert.deepEqual(await counts('?from=2027-01-01'), []);
  });

  it('refuses invalid days, reversed ranges, and more than 92 days, and names the field', async () => {
    const { client } = await build();
    const listRefusedFields = async (query: string) => {
      const { status, body } = await client.get(`${PATH}?${query}` as typeof PATH);
      assert.equal(status, 422);
      return (body as unknown as { details: { field: string }[] }).details.map(({ field }) => field);
    };
    const last = formatUtcDay(NOON);
    for (const [query, fields] of [
      ['from=2026-02-30', ['from']],
      ['to=yesterday', ['to']],
      ['to=0000-01-01', ['to']],
      ['from=2026-11-20T00:00:00Z', ['from']],
      [`from=2026-11-21&to=${last}`, ['from']],
      [`from=${formatUtcDay(daysBefore(92))}&to=${last}`, ['from']],
      [`from=${formatUtcDay(daysBefore(92))}`, ['from']],
      ['limit=0', ['limit']],
      ['limit=51', ['limit']],
      ['sort=newest', ['sort']],
      ['bot_id=mine', ['bot_id']],
      ['month=2026-11', ['month']],
    ] as const)
      assert.deepEqual(await listRefusedFields(query), fields, query);
    const whole = await client.get(`${PATH}?from=${formatUtcDay(daysBefore(91))}&to=${last}` as typeof PATH);
    assert.equal(whole.status, 200);
  });

  it('covers one bot if bot_id is set, and no other workspace', async () => {
    const { client, ask, list } = await build();
    const { body: second } = await client.post('/api/bots', { name: 'Second' });
    const stranger = await build();
    await ask('Do you repair tandems?');
    await ask('Do you repair tandems?', { botId: second.id });
    await stranger.ask('Do you repair tandems?');
    await groupAll(parley);
    const found = await list();
    assert.deepEqual(
      found.map(({ asked }) => asked),
      [1, 1],
    );
    assert.deepEqual(
      (await list(`?bot_id=${second.id}`)).map(({ bot_id: bot }) => bot),
      [second.id],
    );
    assert.equal((await stranger.list()).length, 1);
    const listOfBot = (id: string) => client.get(`${PATH}?bot_id=${id}` as typeof PATH);
    assert.equal(formatOutcome(await listOfBot(stranger.botId)), '403 forbidden');
    assert.equal(formatOutcome(await listOfBot(newId())), '404 not_found');
  });

  it('shows nothing of a deleted bot', async () => {
    const { client, botId, ask, list } = await build();
    await ask('Do you repair tandems?');
    await groupAll(parley);
    assert.equal((await list()).length, 1);
    assert.equal((await client.delete(`/api/bots/${botId}`)).status, 200);
    assert.deepEqual(await list(), []);
    assert.equal(formatOutcome(await client.get(`${PATH}?bot_id=${botId}` as typeof PATH)), '404 not_found');
  });

  it('requires the permission to read analytics, which viewers have', async () => {
    const { orgId } = await build();
    const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
    assert.equal((await viewer.client.get(PATH)).status, 200);
    const elsewhere = await parley.buildOrg({ orgId, scopes: ['conversations:read'] });
    assert.equal(formatOutcome(await elsewhere.client.get(PATH)), '403 forbidden');
  });
});
