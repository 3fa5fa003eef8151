import assert from 'node:assert/strict';
import { answerTexts } from '../../core/conversations/answer-texts.ts';
import { refusal, useEmbedding } from '../knowledge/embedding-support.ts';

const page =
  'The museum was founded by a captain long ago. Visitors can enter from nine until five o’clock. Dogs must wait outside.';

describe('the answer of a bot without a language model to a question in a language other than its page’s', () => {
  const scene = useEmbedding();
  const { buildBot, addDocument, embedAll } = scene;

  async function buildMuseum() {
    const bot = await buildBot();
    // Gives texts embedding vectors by whether they are about opening hours or dogs, in any language.
    scene.embed = ({ input }) =>
      input.map((text) => {
        const topics = [/enter|geöffnet|几点/i, /dogs|hund/i];
        return [0.05, ...topics.map((topic) => (topic.test(text) ? 1 : 0))];
      });
    await addDocument(bot, page);
    await embedAll();
    await scene.parley.database.sql('UPDATE bots SET indexed_chunk_count = 1 WHERE id = $1', [bot.botId]);
    return async (message: string) => {
      const { body } = await bot.client.post(`/api/bots/${bot.botId}/playground`, { message });
      return body;
    };
  }

  it('is the sentence with the nearest meaning, after a line that names its language', async () => {
    const ask = await buildMuseum();
    const { content, citations } = await ask(
      'An welchen Tagen und zu welchen Zeiten ist das Museum geöffnet?',
    );
    assert.equal(
      content,
      'Dazu habe ich Folgendes auf Englisch gefunden:\n\nVisitors can enter from nine until five o’clock. [1]',
    );
    assert.equal(citations.length, 1);
    const both = await ask('Wann ist das Museum geöffnet und darf mein Hund mit hinein?');
    assert.equal(
      both.content,
      'Dazu habe ich Folgendes auf Englisch gefunden:\n\nVisitors can enter from nine until five o’clock. Dogs must wait outside. [1]',
    );
    const chinese = await ask('你们每天早上几点开门呢？');
    assert.equal(
      chinese.content,
      'I found this in English:\n\nVisitors can enter from nine until five o’clock. [1]',
    );
  });

  it('is only the quote if the question is in the language of the page', async () => {
    const ask = await buildMuseum();
    const { content } = await ask('At what time of the day can visitors enter the museum?');
    assert.equal(content, 'Visitors can enter from nine until five o’clock. [1]');
  });

  it('is only the quote if the question is a few words of the page that look like another language', async () => {
    const ask = await buildMuseum();
    const { content } = await ask('dogs museum');
    assert.equal(content, 'The museum was founded by a captain long ago. Dogs must wait outside. [1]');
  });

  it('is the fallback if the embedding model fails, since only words are searched then', async () => {
    const ask = await buildMuseum();
    scene.embed = () => refusal(500);
    const { content } = await ask('An welchen Tagen und zu welchen Zeiten ist bei Ihnen geöffnet?');
    assert.equal(content, answerTexts('de').fallback);
  });
});
