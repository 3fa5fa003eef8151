import assert from 'node:assert/strict';
import { embedWords } from '../support/model-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { refusal, useEmbedding, type Embed } from './embedding-support.ts';

describe('searchKnowledge by meaning', () => {
  const scene = useEmbedding();
  const { buildBot, addDocument, embedAll } = scene;
  /** Gives texts embedding vectors by topic, so that texts of a topic are near each other, whatever their words. */
  const embedByTopic: Embed = ({ input }) =>
    input.map((text) => {
      const topics = [/brake|pads|stop/i, /bell|ring|hear/i, /zebra/i];
      return [0.05, ...topics.map((topic) => (topic.test(text) ? 1 : 0))];
    });

  async function buildKnowledge() {
    const bot = await buildBot();
    scene.embed = embedByTopic;
    const pads = await addDocument(bot, 'Worn pads squeal.');
    const bells = await addDocument(bot, 'Ringing announces you.');
    await scene.parley.database.sql("UPDATE documents SET tags = '{sound}' WHERE id = $1", [bells]);
    await embedAll();
    const addText = async (text: string) => {
      const id = await addDocument(bot, text);
      await embedAll();
      return id;
    };
    const search = async (query: string, body: object = {}, client = bot.client) => {
      const { body: found } = await client.post(`/api/bots/${bot.botId}/knowledge/search`, {
        query,
        ...body,
      });
      return found.items.map(({ document_id: id, matched_by: ways }) => [id, ways.join('+')]);
    };
    return { ...bot, pads, bells, search, addText };
  }

  it('finds passages by the meaning of the question, and says how each was found', async () => {
    const { search, pads, bells } = await buildKnowledge();
    assert.deepEqual(await search('Can I stop?'), [[pads, 'vector']]);
    assert.deepEqual(await search('squeal'), [[pads, 'text']]);
    assert.deepEqual(await search('pads that squeal'), [[pads, 'text+vector']]);
    assert.deepEqual(await search('Will people hear my brakes?'), [
      [pads, 'vector'],
      [bells, 'vector'],
    ]);
    assert.deepEqual(await search('Where is the zebra?'), []);
  });

  it('returns the nearest passages by meaning, with their relevance, if no passage is relevant', async () => {
    const { client, botId, pads } = await buildKnowledge();
    await client.patch(`/api/bots/${botId}`, { strict_kb_mode: true });
    const query = 'Shall I stop or ring?';
    const { body } = await client.post(`/api/bots/${botId}/knowledge/search`, { query });
    assert.deepEqual([body.items, body.relevance_line, body.nearest?.length], [[], 0.64, 2]);
    const near = body.nearest!.find(({ document_id: id }) => id === pads)!;
    assert.deepEqual(near.matched_by, ['vector']);
    assert.ok(near.relevance > 0.4 && near.relevance < 0.64, String(near.relevance));
  });

  it('requires a nearer passage if a strict bot finds it by meaning alone', async () => {
    const { search, client, botId, pads } = await buildKnowledge();
    await client.patch(`/api/bots/${botId}`, { strict_kb_mode: true });
    // Half of the question is about something else, so its cosine with the passage is 0.7, too low for a
    // strict bot.
    assert.deepEqual(await search('Must a zebra stop?'), []);
    assert.deepEqual(await search('Can I stop?'), [[pads, 'vector']]);
  });

  it('finds a passage for a strict bot if words and vectors both match it, even if each of them is less certain', async () => {
    const { search, client, botId, pads } = await buildKnowledge();
    await client.patch(`/api/bots/${botId}`, { strict_kb_mode: true });
    const findFirst = async (question: string, vector: number[]) => {
      scene.embed = ({ input }) => input.map(() => vector);
      return (await search(question))[0];
    };
    // Vector of the questions, whose cosine with the passage is 0.86. The passage contains half of the first
    // question's words.
    const near = [0.05, 1, 0.6, 0];
    assert.deepEqual(await findFirst('Do worn pads fit a tandem?', near), [pads, 'text+vector']);
    assert.equal(await findFirst('May worn pads suit a tandem?', [0.05, 0, 0, 1]), undefined);
    assert.equal(await findFirst('Does a tandem slow down?', near), undefined);
  });

  it('measures a model once if the operator has set no minimum cosine, and then finds passages by meaning', async () => {
    const bot = await buildBot();
    const fare = await addDocument(bot, 'A ticket for the ferry costs four euros for adults.');
    await addDocument(bot, 'Worn pads squeal in the rain.');
    await embedAll();
    scene.model.requests.length = 0;
    const another = await scene.parley.startAnother({
      embeddingRelevance: undefined,
      embeddingStrictRelevance: undefined,
      embeddingQuestionMs: 10_000,
    });
    const search = async (query: string) => {
      const path = `/api/bots/${bot.botId}/knowledge/search` as const;
      const { body } = await another.client(bot.key).post(path, { query });
      return body.items.map(({ document_id: id, matched_by: ways }) => [id, ways.join('+')])[0];
    };
    assert.deepEqual(await search('ticket ferry costs'), [fare, 'text+vector']);
    // The model has embedded the question, the 16 questions of the measurement, and its 16 passages in
    // batches of 4.
    assert.equal(scene.model.requests.length, 1 + 16 + 4);
    assert.deepEqual(await search('ferry adults'), [fare, 'text+vector']);
    assert.equal(scene.model.requests.length, 1 + 16 + 4 + 1);
  });

  it('returns only passages of the bot that have a requested tag', async () => {
    const { search, bells } = await buildKnowledge();
    await buildKnowledge();
    assert.deepEqual(await search('Will people hear my brakes?', { tags: ['sound'] }), [[bells, 'vector']]);
    assert.deepEqual(await search('Will people hear my brakes?', { tags: ['silence'] }), []);
  });

  it('embeds a question once, however often it is searched', async () => {
    const { search } = await buildKnowledge();
    scene.model.requests.length = 0;
    await search('How do I stop?');
    await search('How do I stop?');
    assert.equal(scene.model.requests.length, 1);
  });

  it('embeds at most 2,000 characters of a question, even if normalization expands one character to eighteen', async () => {
    const { search } = await buildKnowledge();
    const questions: string[] = [];
    scene.embed = ({ input }) => {
      questions.push(...input);
      return input.map(() => [0.05, 1, 0, 0]);
    };
    await search('\ufdfa'.repeat(900));
    assert.deepEqual(
      questions.map(({ length }) => length),
      [2000],
    );
  });

  it('searches by words if the model times out, and calls the model again later', async () => {
    const { search, key, pads } = await buildKnowledge();
    const another = await scene.parley.startAnother({ embeddingQuestionMs: 50 });
    const client = another.client(key);
    scene.embed = () => ({ hang: 'at-once' });
    assert.deepEqual(await search('Do pads squeal, or stop?', {}, client), [[pads, 'text']]);
    scene.embed = embedByTopic;
    await waitUntil(
      async () => (await search('Do pads squeal, or stop?', {}, client))[0]?.[1] === 'text+vector',
      'the model to be asked again',
    );
  });

  it('searches by meaning alone if the search by words takes longer than knowledgeSearchSeconds', async () => {
    const { search, key, pads } = await buildKnowledge();
    const another = await scene.parley.startAnother({ knowledgeSearchSeconds: 1 });
    const client = another.client(key);
    await scene.parley.database.transaction(async (db) => {
      await db.sql('LOCK TABLE search_terms IN ACCESS EXCLUSIVE MODE');
      assert.deepEqual(await search('pads that squeal', {}, client), [[pads, 'vector']]);
    });
    assert.deepEqual(await search('pads that squeal'), [[pads, 'text+vector']]);
  });

  it('embeds the next question even after the model has refused a question', async () => {
    const { search, pads } = await buildKnowledge();
    scene.embed = () => refusal(400);
    for (const question of ['Do pads squeal?', 'Must pads squeal?', 'May pads squeal?'])
      assert.deepEqual(await search(question), [[pads, 'text']]);
    scene.embed = embedByTopic;
    assert.deepEqual(await search('How do I stop there?'), [[pads, 'vector']]);
  });

  it('gives words more weight than vectors if the model does not support the question’s language', async () => {
    const { search, client, key, addText, pads } = await buildKnowledge();
    const rules = await addText('Abgenutzte Beläge werden in der Werkstatt jederzeit kostenlos gewechselt.');
    const another = await scene.parley.startAnother({ embeddingLanguages: 'en' });
    const question =
      'Werden abgenutzte Beläge in der Werkstatt gewechselt, bevor ich nicht mehr stop sagen kann?';
    const findFirst = async (by = client) => (await search(question, {}, by))[0]?.[0];
    assert.equal(await findFirst(), pads);
    assert.equal(await findFirst(another.client(key)), rules);
  });

  it('searches only by words if the question’s vector has other dimensions than the stored vectors', async () => {
    const { search, pads } = await buildKnowledge();
    scene.embed = embedWords;
    assert.deepEqual(await search('Pads that squeal?'), [[pads, 'text']]);
  });
});
