import assert from 'node:assert/strict';
import type { TestRunRead } from '../../api/test-sets/test-sets.schemas.ts';
import { newId } from '../../core/ids.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { TestRun } from '../../entities/test-sets/test-run.entity.ts';
import { buildBot } from '../support/build-bot.ts';
import { buildPassage } from '../support/knowledge.ts';
import { startModelServer } from '../support/model-server.ts';
import { readHistoryText } from '../support/history-text.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  startParleyWithWorker,
  startSharedParleyWithWorker,
  type SharedParleyWithWorker,
} from '../support/worker.ts';

const QUESTIONS = [
  { question: 'What does a day pass cost?', source: 'guide', words: ['£9'] },
  { question: 'What does a day pass cost in winter?', source: 'price list', words: ['£5'] },
  { question: 'Do you repair typewriters?', expects: 'refusal' },
  { question: 'How much is a day pass?', expects: 'refusal' },
  { question: 'I want to talk to a person', expects: 'handoff' },
  { question: 'I want to talk to a person', words: ['£9'] },
];

describe('test runs:', () => {
  let parley: SharedParleyWithWorker;
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  /** Creates a strict bot that knows one sentence, with a test set. */
  async function buildTested(questions: object[] = QUESTIONS, overrides: object = {}) {
    const built = await buildBot(parley, { strict_kb_mode: true, handoff_enabled: true, ...overrides });
    const { orgId, bot, client } = built;
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs £9 in every season.');
    const sets = `/api/ext/bots/${bot.id}/test-sets` as const;
    const { body: set } = await client.post(sets, { name: 'Prices', questions });
    return { ...built, set, path: `${sets}/${set.id}` as const };
  }

  async function waitForRun({ client, path }: Awaited<ReturnType<typeof buildTested>>, id: string) {
    let run: TestRunRead | undefined;
    await waitUntil(async () => {
      run = (await client.get(`${path}/runs/${id}`)).body;
      return run.status !== 'pending' && run.status !== 'running';
    }, 'the end of the run');
    return run!;
  }

  async function startRun(tested: Awaited<ReturnType<typeof buildTested>>, body: object = {}) {
    const { status, body: run } = await tested.client.post(`${tested.path}/runs`, body);
    assert.equal(status, 202, JSON.stringify(run));
    return waitForRun(tested, run.id);
  }

  it('startTestRun answers each question, judges the answers, and stores no conversation', async () => {
    const tested = await buildTested();
    const run = await startRun(tested);
    assert.deepEqual(
      [run.status, run.question_count, run.answered_count, run.passed_count, run.version],
      ['completed', 6, 6, 3, null],
    );
    const { body: results } = await tested.client.get(`${tested.path}/runs/${run.id}/results`);
    assert.deepEqual(
      results.map(({ result }) => result?.faults),
      [[], ['wrong_source', 'missing_words'], [], ['answered'], [], ['handed_over']],
    );
    const first = results[0]!.result!;
    assert.equal(first.answer, 'A day pass costs £9 in every season. [1]');
    assert.deepEqual(first.sources, [{ title: 'Guide', url: null }]);
    assert.equal(first.model, 'extractive-1');
    assert.equal(results[0]!.compared, null);
    assert.equal((await tested.client.get('/api/conversations')).body.total, 0);
  });

  it('listTestResults returns, for each question, the result of another run next to that of this run', async () => {
    const tested = await buildTested(QUESTIONS.slice(0, 2));
    const before = await startRun(tested);
    const [kept] = tested.set.questions;
    const added = { question: 'Do you sell hats?', expects: 'refusal' };
    await tested.client.patch(tested.path, { questions: [added, { ...kept, words: ['£10'] }] });
    const after = await startRun(tested);
    const { body } = await tested.client.get(
      `${tested.path}/runs/${after.id}/results?compare_to=${before.id}`,
    );
    assert.deepEqual(
      body.map(({ result, compared }) => [result?.passed, compared?.passed]),
      [
        [true, undefined],
        [false, true],
      ],
    );
  });

  it('startTestRun tests a saved version of the bot, with the configuration of that version', async () => {
    const question = { question: 'Do you sell hats?', expects: 'refusal' };
    const tested = await buildTested([{ ...question, expects: 'answer', words: ['No hats'] }], {
      fallback_message: 'No hats here.',
    });
    const { bot, client } = tested;
    await client.post(`/api/bots/${bot.id}/versions`, {});
    await client.patch(`/api/bots/${bot.id}`, { fallback_message: 'I do not know.' });
    const readAnswer = async (run: TestRunRead) =>
      (await client.get(`${tested.path}/runs/${run.id}/results`)).body[0]?.result?.answer;
    assert.equal(await readAnswer(await startRun(tested)), 'I do not know.');
    const run = await startRun(tested, { version: 1 });
    assert.equal(run.version, 1);
    assert.equal(await readAnswer(run), 'No hats here.');
    assert.equal((await client.post(`${tested.path}/runs`, { version: 9 })).status, 404);
  });

  it('startTestRun fails if the settings of the bot are changed during the run', async () => {
    const tested = await buildTested();
    const { runtime, database } = parley;
    const scope = { orgId: tested.orgId, db: database };
    const id = newId();
    await database.repository(TestRun).insert({
      id,
      orgId: tested.orgId,
      botId: tested.bot.id,
      testSetId: tested.set.id,
      settingsDigest: 'of former settings',
      questions: tested.set.questions as never,
      questionCount: tested.set.questions.length,
    });
    const message = 'The settings of the bot were changed during the run. Run the test again.';
    const { signal } = new AbortController();
    await assert.rejects(runtime.services.testSets.testRunner.answerQuestions(scope, id, 1000, signal), {
      message,
    });
    const { body } = await tested.client.get(`${tested.path}/runs/${id}`);
    assert.deepEqual([body.status, body.error_message], ['failed', message]);
  });

  it('startTestRun is refused for a set without questions', async () => {
    const { client, path } = await buildTested([]);
    const { status, problem } = await client.post(`${path}/runs`, {});
    assert.deepEqual(
      [status, problem.error.message],
      [409, 'This test set has no questions; add one first.'],
    );
  });

  it('startTestRun is refused after 600 questions per hour without a plan, and then stores no run', async () => {
    const questions = Array.from({ length: 200 }, (_, index) => ({ question: `Question ${index}?` }));
    const { orgId, client, path } = await buildTested(questions);
    await parley.database.repository(Org).update({ id: orgId }, { planTier: 'free' });
    const start = async () => {
      const started = await client.post(`${path}/runs`, {});
      if (started.status === 202) await client.post(`${path}/runs/${started.body.id}/cancel`);
      return started;
    };
    for (let count = 0; count < 3; count += 1) assert.equal((await start()).status, 202);
    const refused = await start();
    assert.equal(refused.status, 429);
    assert.match(
      refused.problem.error.message,
      /^This workspace has reached its limit of test questions per hour; wait \d+ s\.$/,
    );
    assert.equal((await client.get(`${path}/runs`)).body.total, 3);
  });

  it('startTestRun is refused while the workspace has five unfinished runs', async () => {
    const { orgId, bot, client, path, set } = await buildTested();
    const runs = parley.database.repository(TestRun);
    const pending = { orgId, botId: bot.id, testSetId: set.id, questionCount: 1, settingsDigest: '' };
    const ids = Array.from({ length: 5 }, () => newId());
    await runs.insert(ids.map((id) => ({ ...pending, id, questions: [] as never })));
    assert.equal((await client.post(`${path}/runs`, {})).status, 409);
    await client.post(`${path}/runs/${ids[0]!}/cancel`);
    assert.equal((await client.post(`${path}/runs`, {})).status, 202);
  });

  it('listTestRuns returns the last 20 runs of a set, and an older run that has not ended', async () => {
    const tested = await buildTested([QUESTIONS[4]!]);
    const { database, runtime } = parley;
    const scope = { orgId: tested.orgId, db: database };
    await database.repository(TestRun).insert({
      id: newId(),
      orgId: tested.orgId,
      botId: tested.bot.id,
      testSetId: tested.set.id,
      questionCount: 1,
      settingsDigest: '',
      questions: [] as never,
    });
    for (let count = 0; count < 21; count += 1) {
      const run = await runtime.services.testSets.testRuns.start(scope, tested.bot.id, tested.set.id, null);
      await runtime.services.testSets.testRunner.fail(scope, run.id, 'Test');
    }
    assert.equal((await tested.client.get(`${tested.path}/runs`)).body.total, 21);
  });

  it('getTestRun and Temporal show the progress, and Temporal shows no content', async () => {
    const tested = await buildTested();
    const run = await startRun(tested);
    const handle = parley.temporal.workflow.getHandle(`test-run/${run.id}`);
    assert.equal(await handle.result(), 'completed');
    const history = await readHistoryText(handle);
    assert.ok(!history.includes('typewriters'));
  });
});

describe('cancelTestRun', () => {
  it('ends a run while the model answers, aborts its call, and keeps 8,000 characters of each answer', async () => {
    let asked = 0;
    const model = await startModelServer({
      answer: () => (
        (asked += 1),
        asked === 1 ? 'A day pass costs £9. '.repeat(500) : { hang: 'at-once' as const }
      ),
    });
    const parley = await startParleyWithWorker({
      PARLEY_MODEL_BASE_URL: model.baseUrl,
      PARLEY_MODEL: 'gpt-4o-mini',
    });
    try {
      const { bot, client } = await buildBot(parley, { max_tokens: 4096 });
      const sets = `/api/ext/bots/${bot.id}/test-sets` as const;
      const { body: set } = await client.post(sets, { name: 'Prices', questions: QUESTIONS.slice(0, 3) });
      const runs = `${sets}/${set.id}/runs` as const;
      const { body: run } = await client.post(runs, {});
      await waitUntil(
        async () => (await client.get(`${runs}/${run.id}`)).body.answered_count === 1,
        'an answer',
      );
      const { body: canceled } = await client.post(`${runs}/${run.id}/cancel`);
      assert.deepEqual([canceled.status, canceled.answered_count], ['canceled', 1]);
      await waitUntil(async () => model.countAbandoned() === 1, 'the end of the model’s call');
      const { body: results } = await client.get(`${runs}/${run.id}/results`);
      assert.equal(results[0]!.result!.answer.length, 8000);
      const again = await client.post(`${runs}/${run.id}/cancel`);
      assert.equal(again.status, 409);
      assert.equal(again.problem.error.message, 'This test run is canceled, so it cannot be canceled.');
    } finally {
      await parley.stop();
      await model.close();
    }
  });
});
