import assert from 'node:assert/strict';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { buildTemporalEnv, WorkerProcess } from '../support/worker.ts';

const QUESTIONS = ['First?', 'Second?', 'Third?', 'Fourth?'];

describe('runTestSet after its worker was killed', () => {
  let model: ModelServer;
  let parley: TestParley;
  const workers: WorkerProcess[] = [];
  /** Questions that the fake model was asked, in order. */
  const asked: string[] = [];
  let isHanging = true;
  before(async () => {
    model = await startModelServer({
      answer: ({ messages }) => {
        const question = String(messages.at(-1)?.content);
        asked.push(question);
        return isHanging && question.includes('Third?') ? { hang: 'at-once' } : `Answer to ${question}`;
      },
    });
    parley = await startParley({ ...buildTemporalEnv(), ...modelSettings() });
  });
  after(async () => {
    for (const worker of workers) await worker.end('SIGKILL');
    await parley.stop();
    await model.close();
  });

  const modelSettings = () => ({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
  function startWorker(): WorkerProcess {
    const worker = new WorkerProcess(parley.runtime.settings, modelSettings());
    workers.push(worker);
    return worker;
  }

  it('continues at the question that had no result, and stores each result once', async () => {
    const { client } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'Help desk' });
    const sets = `/api/ext/bots/${bot.id}/test-sets` as const;
    const questions = QUESTIONS.map((question) => ({ question, words: [question] }));
    const { body: set } = await client.post(sets, { name: 'Order', questions });
    const runs = `${sets}/${set.id}/runs` as const;
    const worker = startWorker();
    const { body: run } = await client.post(runs, {});
    await waitUntil(() => asked.some((question) => question.includes('Third?')), 'the third question');
    await worker.end('SIGKILL');
    assert.equal((await client.get(`${runs}/${run.id}`)).body.answered_count, 2);
    isHanging = false;
    startWorker();
    await waitUntilEqual(async () => (await client.get(`${runs}/${run.id}`)).body.status, 'completed');
    const { body: results } = await client.get(`${runs}/${run.id}/results`);
    assert.deepEqual(
      results.map(({ result }) => result?.passed),
      [true, true, true, true],
    );
    assert.equal(asked.filter((question) => question.includes('First?')).length, 1);
  });
});
