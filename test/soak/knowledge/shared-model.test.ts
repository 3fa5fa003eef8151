import assert from 'node:assert/strict';
import { waitUntil } from '../../support/wait-until.ts';
import { embedWords, type ModelScript } from '../../support/model-server.ts';
import type { TestParley } from '../../support/parley.ts';
import { refusal, useEmbedding } from '../../knowledge/embedding-support.ts';

describe('searchKnowledge of payers that share an embedding model', () => {
  const scene = useEmbedding();
  const PASSAGE = 'Worn pads squeal.';

  /**
   * Builds a bot with a passage, and a function that returns whether a search finds the passage by words or
   * by vectors.
   */
  async function buildPayer(parley: Pick<TestParley, 'client'> = scene.parley) {
    const bot = await scene.buildBot();
    await scene.addDocument(bot, PASSAGE);
    await scene.embedAll();
    const client = parley.client(bot.key);
    return async (query: string) => {
      const { body } = await client.post(`/api/bots/${bot.botId}/knowledge/search`, { query });
      return body.items[0]?.matched_by.join('+') ?? 'nothing';
    };
  }

  /** Lets the embedding model fail for texts with "Trouble", and embed all other texts. */
  const failFor = (failure: ModelScript) =>
    (scene.embed = (body) => (body.input.some((text) => /trouble/i.test(text)) ? failure : embedWords(body)));

  for (const [name, failure] of [
    ['does not respond in time to', { hang: 'at-once' }],
    ['fails for', refusal(500)],
  ] as const)
    it(`uses vectors for other payers while the model ${name} the questions of one payer`, async () => {
      const another = await scene.parley.startAnother({ embeddingQuestionMs: 1000 });
      const [attacker, victim] = [await buildPayer(another), await buildPayer(another)];
      failFor(failure);
      for (const word of ['Trouble', 'Troubles', 'Troubled'])
        assert.equal(await attacker(`${word}: do pads squeal?`), 'text');
      assert.equal(await victim('Do worn pads squeal?'), 'text+vector');
    });

  it('uses vectors for a payer while another payer asks more questions at once than the model embeds', async () => {
    const another = await scene.parley.startAnother({ embeddingQuestionMs: 2000 });
    const [attacker, victim] = [await buildPayer(another), await buildPayer(another)];
    failFor({ hang: 'at-once' });
    const flood = Promise.all(
      Array.from({ length: 100 }, (_, index) => attacker(`Trouble ${index}: do pads squeal?`)),
    );
    await waitUntil(async () => scene.model.requests.length >= 10, 'the flood to reach the model');
    assert.equal(await victim('Do worn pads squeal?'), 'text+vector');
    await flood;
  });

  it('embeds a question for each workspace, so that the response time does not tell who has asked it before', async () => {
    const [first, second] = [await buildPayer(), await buildPayer()];
    scene.model.requests.length = 0;
    for (const search of [first, first, second]) await search('Do worn pads squeal?');
    assert.equal(scene.model.requests.length, 2);
  });

  it('pauses the model for all payers while its endpoint is rate-limited', async () => {
    const [first, second] = [await buildPayer(), await buildPayer()];
    scene.embed = () => refusal(429);
    assert.equal(await first('Do pads squeal?'), 'text');
    scene.embed = embedWords;
    scene.model.requests.length = 0;
    assert.equal(await second('Do worn pads squeal?'), 'text');
    assert.equal(scene.model.requests.length, 0);
  });
});
