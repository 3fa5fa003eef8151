import assert from 'node:assert/strict';
import { mapInBatches } from '../../support/map-in-batches.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { groupAll, buildQuestionScene } from '../../analytics/question-support.ts';

/** Builds a different word for each number, which no stemmer merges with another. */
const buildWord = (n: number) => `zx${String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))}q`;
const CROWD = Array.from({ length: 260 }, (_, n) => buildWord(n));
const IN_ENGLISH = { language: 'en' };

describe('listTopQuestions among many clusters with the same words', () => {
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  async function buildCrowd(...beginnings: string[]) {
    const scene = await buildQuestionScene(parley, new Date(), IN_ENGLISH);
    const questions = beginnings.flatMap((beginning) => CROWD.map((word) => `${beginning} ${word}`));
    await mapInBatches(questions, 20, (question) => scene.ask(question));
    await groupAll(parley);
    const counts = async () => {
      const found = await scene.list('?sort=asked');
      return found.filter(({ asked }) => asked > 1).map(({ question, asked }) => [question, asked]);
    };
    assert.deepEqual(await counts(), []);
    return { ...scene, counts };
  }

  it('counts a question in one cluster, whether it is repeated within a batch or in later batches', async () => {
    const { ask, counts } = await buildCrowd('delivery', 'price');
    for (let n = 0; n < 3; n += 1) {
      await ask('What is the delivery price?');
      await groupAll(parley);
    }
    for (let n = 0; n < 2; n += 1) await ask('The price of the delivery?');
    await groupAll(parley);
    assert.deepEqual(await counts(), [['The price of the delivery?', 5]]);
  });

  it('counts questions with more words than the pattern in one cluster, and their repetitions', async () => {
    const { ask, counts } = await buildCrowd('delivery price heavy');
    await ask('delivery price heavy parcel');
    await groupAll(parley);
    for (let n = 0; n < 2; n += 1) {
      await ask('delivery price heavy parcel insured');
      await groupAll(parley);
    }
    await ask('heavy parcel delivery price');
    await groupAll(parley);
    assert.deepEqual(await counts(), [['heavy parcel delivery price', 4]]);
  });

  it('keeps a question in its cluster after the question that it matched was deleted', async () => {
    const { database } = parley;
    const { ask, counts } = await buildCrowd('delivery price heavy');
    const { messageId } = await ask('delivery price heavy parcel insured');
    await groupAll(parley);
    for (let n = 0; n < 2; n += 1) await ask('delivery price heavy parcel');
    await groupAll(parley);
    await database.sql('DELETE FROM messages WHERE id = $1', [messageId]);
    await ask('delivery price heavy parcel');
    await groupAll(parley);
    assert.deepEqual(await counts(), [['delivery price heavy parcel', 3]]);
  });
});
