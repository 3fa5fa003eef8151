import assert from 'node:assert/strict';
import { buildBot } from '../support/build-bot.ts';
import { buildPassage } from '../support/knowledge.ts';
import { formatOutcome } from '../support/outcome.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';

const QUESTIONS = [
  { question: 'What does a day pass cost?', words: ['£9'] },
  { question: 'Do you sell hats?', words: ['No hats'] },
];

describe('a required test set', () => {
  let parley: SharedParleyWithWorker;
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  /** Creates a draft bot that knows one sentence, with a test set that the bot must pass. */
  async function buildTested(requiredPercent: number) {
    const built = await buildBot(parley, { strict_kb_mode: true });
    const { orgId, bot, client } = built;
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs £9 in every season.');
    const url = `/api/bots/${bot.id}` as const;
    const sets = `/api/ext/bots/${bot.id}/test-sets` as const;
    const { body: set } = await client.post(sets, {
      name: 'Prices',
      questions: QUESTIONS,
      required_percent: requiredPercent,
    });
    const path = `${sets}/${set.id}` as const;
    const run = async () => {
      const { body } = await client.post(`${path}/runs`, {});
      await waitUntilEqual(
        async () => (await client.get(`${path}/runs/${body.id}`)).body.status,
        'completed',
      );
    };
    return { ...built, url, path, run, activate: () => client.patch(url, { status: 'active' }) };
  }

  it('makes updateBot refuse to activate a bot before a run, and after a run in which too few questions passed', async () => {
    const { activate, run, client, url } = await buildTested(90);
    const early = await activate();
    assert.equal(formatOutcome(early), '409 conflict');
    assert.equal(
      early.problem.error.message,
      'The test set “Prices” must pass 90% before the bot goes live, but no run of its questions with these settings is complete; run the test set first.',
    );
    await run();
    const failed = await activate();
    assert.match(failed.problem.error.message, /but its newest run with these settings passed 50%\.$/);
    assert.equal((await client.get(url)).body.status, 'draft');
  });

  it('lets a bot go live with the settings that passed, but not with other settings', async () => {
    const { activate, run, client, url } = await buildTested(50);
    await run();
    await client.patch(url, { system_prompt: 'Be brief.' });
    assert.equal(formatOutcome(await activate()), '409 conflict');
    await client.patch(url, { system_prompt: '' });
    assert.equal(formatOutcome(await activate()), '200');
  });

  it('makes updateBot refuse after the questions were changed, until they have passed', async () => {
    const { activate, run, client, path } = await buildTested(50);
    await client.patch(path, { questions: QUESTIONS.slice(0, 1) });
    await run();
    await client.post(`${path}/questions`, { questions: [{ question: 'Do you sell shoes?' }] });
    assert.equal(formatOutcome(await activate()), '409 conflict');
    await run();
    assert.equal(formatOutcome(await activate()), '200');
  });

  it('keeps its result when only its name changes, and when the same questions are added again', async () => {
    const { activate, run, client, path } = await buildTested(50);
    await run();
    await client.post(`${path}/questions`, { questions: QUESTIONS });
    await client.patch(path, { name: 'Fees' });
    assert.equal(formatOutcome(await activate()), '200');
  });

  it('makes updateBot refuse, with an explanation, if the set has no questions', async () => {
    const { activate, run, client, path } = await buildTested(50);
    await run();
    await client.patch(path, { questions: [] });
    const { problem } = await activate();
    assert.match(
      problem.error.message,
      /but it has no questions; add questions, or remove its required percentage\.$/,
    );
  });

  it('requires no new run after a change of key order, or after restoring a tested version', async () => {
    const { activate, run, client, url } = await buildTested(50);
    const notify = null;
    const directory = { enabled: true, entries: [] };
    await client.patch(url, { handoff_enabled: true, handoff_config: { hours: null, notify } });
    const { status } = await client.patch(url, { directory_config: directory, temperature: 0.3333 });
    assert.equal(status, 200);
    await client.post(`${url}/versions`, {});
    await run();
    const active = await client.patch(url, {
      status: 'active',
      temperature: 0.3333,
      handoff_config: { notify, hours: null },
    });
    assert.equal(formatOutcome(active), '200');
    await client.patch(url, { handoff_config: null, directory_config: null, temperature: 1 });
    assert.equal(formatOutcome(await client.post(`${url}/versions/1/restore`)), '200');
    await client.patch(url, { status: 'paused' });
    assert.equal(formatOutcome(await activate()), '200');
  });

  it('lets a live bot change, but makes restoreBotVersion refuse untested settings', async () => {
    const { activate, run, client, url } = await buildTested(50);
    await client.post(`${url}/versions`, {});
    await run();
    await activate();
    await client.patch(url, { system_prompt: 'Be brief.' });
    assert.equal(formatOutcome(await client.post(`${url}/versions/1/restore`)), '200');
    await client.patch(url, { system_prompt: 'Be long.' });
    await client.post(`${url}/versions`, {});
    await client.patch(url, { system_prompt: '' });
    const { body: versions } = await client.get(`${url}/versions`);
    const untested = versions[0]!.version;
    assert.equal(formatOutcome(await client.post(`${url}/versions/${untested}/restore`)), '409 conflict');
  });

  it('requires nothing once required_percent is null', async () => {
    const { activate, client, path } = await buildTested(100);
    const { body } = await client.patch(path, { required_percent: null });
    assert.equal(body.required_percent, null);
    assert.equal(formatOutcome(await activate()), '200');
  });
});
