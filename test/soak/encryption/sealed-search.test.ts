import assert from 'node:assert/strict';
import { EmbeddingRotation } from '../../../services/knowledge/vectors/embedding-rotation.ts';
import { requireEmbeddingModel } from '../../support/embedding-model.ts';
import { buildKnowledgeBase } from '../../support/knowledge.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const TEXTS = [
  '# Refunds\n\nWe give you your money back within two weeks.\n\n# Brakes\n\nWorn pads squeal when it rains.',
  '# Leasing\n\nTwelve cargo bikes cost 90 euros a month, trailers included.',
  '# Opening hours\n\nThe workshop opens at nine, on Sundays at eleven.',
];
/** Questions that use words of the documents, and questions that use other words. */
const QUESTIONS = [
  'When does the workshop open on Sundays?',
  'How do I get reimbursed?',
  'Why is it so loud to stop in wet weather?',
  'What do cargo bikes cost a month?',
];

describe('encrypted documents with an embedding model:', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  before(async function () {
    const path = await requireEmbeddingModel(this);
    parley = await startParley({
      PARLEY_EMBEDDING_MODEL_PATH: path,
      embeddingTimeoutMs: 120000,
      embeddingQuestionMs: 10000,
    });
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley?.stop();
    await keys?.stop();
  });

  async function embedAll(): Promise<void> {
    const { embedding } = parley.runtime.services.knowledge;
    const rotation = new EmbeddingRotation();
    for (;;) {
      const turns = await embedding!.leaseNext(parley.database, rotation);
      if (!turns) return;
      await embedding!.embed(parley.database, turns, new AbortController().signal);
    }
  }

  /** Creates a bot with the documents `TEXTS`, encrypted if `isSealed`. */
  async function build({ isSealed }: { isSealed: boolean }) {
    const base = await buildKnowledgeBase(parley);
    const { client, path, orgId, botId } = base;
    if (isSealed) await keys.seal(base);
    const scope = { orgId, db: parley.database };
    for (const text of TEXTS) {
      const { body } = await client.post(path, { source_type: 'raw_text', raw_text: text, title: 'Guide' });
      await parley.runtime.services.knowledge.ingestion.beginOrIndex(scope, {
        botId,
        documentId: body.id,
        revision: 1,
      });
    }
    await embedAll();
    const searchPassages = async (query: string) => {
      const { status, body } = await client.post(`${path}/search`, { query });
      assert.equal(status, 200);
      return body.items.map(({ text, score, matched_by: by }) => ({ text, score, by }));
    };
    const reseal = async () => {
      await parley.runtime.services.encryption.resealing.restart(scope);
      await parley.runtime.services.encryption.resealing.runSteps(scope, () => false);
    };
    return { ...base, searchPassages, reseal, ask: () => Promise.all(QUESTIONS.map(searchPassages)) };
  }

  it('searchKnowledge returns the same passages by words and by meaning as in an unencrypted workspace, even after a switch', async () => {
    const readable = await build({ isSealed: false });
    const sealed = await build({ isSealed: true });
    const expected = await readable.ask();
    assert.deepEqual(
      expected.map(([first]) => first?.text.slice(0, 12)),
      ['The workshop', 'We give you ', 'Worn pads sq', 'Twelve cargo'],
    );
    assert.ok(expected.flat().some(({ by }) => by.includes('vector')));
    assert.deepEqual(await sealed.ask(), expected);

    await keys.seal(readable);
    await readable.reseal();
    const left = await parley.database.sql('SELECT FROM chunks WHERE key_id IS NULL');
    assert.equal(left.length, 0);
    assert.deepEqual(await readable.ask(), expected);
  });
});
