import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createEmbedder } from '../../../../adapters/embedding/create-embedder.ts';
import { EmbeddingError, type Embedder, type Vector } from '../../../../adapters/embedding/embedder.ts';
import { OutboundClient } from '../../../../adapters/http/outbound-client.ts';
import { SettingsError } from '../../../../core/settings/settings.ts';
import { countTextTokens } from '../../../../services/knowledge/ingestion/token-count.ts';
import { requireEmbeddingModel } from '../../../support/embedding-model.ts';
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts';
import { runEndingProcess } from '../../../adapters/embedding/ending-process.ts';
import { loadTestSettings, type TestSettings } from '../../../support/test-settings.ts';

const never = new AbortController().signal;
const computeCloseness = (a: Vector, b: Vector) =>
  a.reduce((sum, value, index) => sum + value * b[index]!, 0);

describe('a local embedding model', () => {
  const client = OutboundClient.createTrusted({ userAgent: 'Tests' });
  const opened: Embedder[] = [];
  let path: string;
  before(async function () {
    path = await requireEmbeddingModel(this);
  });
  after(async () => {
    await Promise.all(opened.map((embedder) => embedder.close()));
    await client.close();
  });

  async function open(env: TestSettings = {}): Promise<Embedder> {
    const settings = loadTestSettings({
      PARLEY_EMBEDDING_MODEL_PATH: path,
      // Allow a long time to embed: the embedding model's thread has a low priority, so a busy machine delays
      // it.
      embeddingTimeoutMs: 120000,
      ...env,
    });
    const embedder = await createEmbedder({ settings, client, count: countTextTokens });
    opened.push(embedder!);
    return embedder!;
  }

  it('embeds a question nearer to a passage with the answer in other words than to another passage (embedQuestion)', async () => {
    const embedder = await open();
    const passages = [
      { context: 'Refunds', text: 'We give you your money back within two weeks.' },
      { context: 'Brakes', text: 'Worn pads squeal when it rains.' },
    ];
    const [[refunds], [brakes]] = (await embedder.embedPassages(passages, never)) as [[Vector], [Vector]];
    assert.equal(refunds.length, 384);
    const reimbursed = await embedder.embedQuestion('How do I get reimbursed?', never);
    assert.ok(computeCloseness(reimbursed, refunds) > computeCloseness(reimbursed, brakes) + 0.2);
    const noise = await embedder.embedQuestion('Why is it so loud to stop in wet weather?', never);
    assert.ok(computeCloseness(noise, brakes) > computeCloseness(noise, refunds) + 0.1);
  });

  it('splits a long passage into windows, and embeds all of them (embedPassages)', async () => {
    const embedder = await open();
    const filler = 'The warranty covers the frame for five years. '.repeat(40);
    const [windows] = await embedder.embedPassages(
      [{ context: 'Manual', text: `${filler} Penguins live in Antarctica.` }],
      never,
    );
    assert.ok(windows!.length >= 2, String(windows!.length));
    const penguins = await embedder.embedQuestion('Where do penguins live?', never);
    const best = windows!.map((window) => computeCloseness(penguins, window));
    assert.equal(best.indexOf(Math.max(...best)), windows!.length - 1);
  });

  it('embeds no question that was aborted while it waited for another question', async () => {
    const embedder = await open();
    const long = (name: string) =>
      `${name}: ${'does the warranty cover the frame of my bicycle '.repeat(40)}`;
    const measure = async (question: string) => {
      const startedAt = performance.now();
      await embedder.embedQuestion(question, never);
      return performance.now() - startedAt;
    };
    await measure('Load the model.');
    const aloneMs = await measure(long('alone'));
    const callers = Array.from({ length: 100 }, () => new AbortController());
    const aborted = callers.map(({ signal }, index) =>
      embedder.embedQuestion(long(String(index)), signal).catch((error: Error) => error.name),
    );
    for (const caller of callers) caller.abort();
    assert.deepEqual(new Set(await Promise.all(aborted)), new Set(['AbortError']));
    assert.ok((await measure('Where are you?')) < 10 * aloneMs);
  });

  it('is named after its folder and the digest of its content', async () => {
    const embedder = await open();
    assert.equal(embedder.model, 'local:all-MiniLM-L6-v2-int8@8199be6f');
    assert.equal(embedder.forModel(embedder.model), embedder);
    assert.equal(embedder.forModel('text-embedding-3-small'), undefined);
  });

  it('has another name if its vectors are computed from other texts, and still embeds questions for the previous names', async () => {
    const usual = await open();
    const names = new Set([usual.model]);
    const shorter = { PARLEY_EMBEDDING_WINDOW_TOKENS: '128' };
    const prefixed = { PARLEY_EMBEDDING_PASSAGE_PREFIX: 'passage: ' };
    for (const env of [shorter, prefixed, { ...shorter, ...prefixed }] as TestSettings[]) {
      const other = await open(env);
      names.add(other.model);
      assert.match(other.model, /^local:all-MiniLM-L6-v2-int8@8199be6f#[0-9a-f]{8}$/);
      assert.equal(other.forModel(usual.model), other);
    }
    assert.equal(names.size, 4);
    assert.equal((await open({ PARLEY_EMBEDDING_QUESTION_PREFIX: 'query: ' })).model, usual.model);
  });

  it('rejects an aborted question without ending the process or another request', async () => {
    const embedder = await open();
    const gone = new AbortController();
    const asking = embedder.embedQuestion('Anybody?', gone.signal);
    gone.abort(new Error('gone'));
    await assert.rejects(asking, /gone/);
    assert.equal((await embedder.embedQuestion('Anybody?', never)).length, 384);
  });

  it('ends without errors if it is closed shortly after a text was sent', () => {
    const { status, stdout, stderr } = runEndingProcess(path, 'close', 60);
    assert.deepEqual([status, stdout, stderr], [0, 'unavailable unavailable\n', '']);
  });

  it('does not delay process.exit shortly after a text was sent', () => {
    const { status, stderr } = runEndingProcess(path, 'exit', 60);
    assert.deepEqual([status, stderr], [7, '']);
  });

  it('rejects each question with misconfigured if its file is not a model (embedQuestion)', async () => {
    const folder = join(makeTemporaryFolder(), 'broken');
    mkdirSync(folder);
    writeFileSync(join(folder, 'model.onnx'), 'no model');
    copyFileSync(join(dirname(path), 'tokenizer.json'), join(folder, 'tokenizer.json'));
    const embedder = await open({ PARLEY_EMBEDDING_MODEL_PATH: join(folder, 'model.onnx') });
    for (let times = 0; times < 2; times += 1)
      await assert.rejects(
        embedder.embedQuestion('Anybody?', never),
        (error) => error instanceof EmbeddingError && error.failure === 'misconfigured',
      );
  });

  it('is refused by createEmbedder if its file is missing, and is not created for the path “none”', async () => {
    await assert.rejects(open({ PARLEY_EMBEDDING_MODEL_PATH: '/no/model.onnx' }), SettingsError);
    const settings = loadTestSettings({ PARLEY_EMBEDDING_MODEL_PATH: 'none' });
    assert.equal(await createEmbedder({ settings, client, count: countTextTokens }), undefined);
  });
});
