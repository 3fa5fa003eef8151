import assert from 'node:assert/strict';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { buildPassage } from '../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

describe('draftTestQuestions', () => {
  let model: ModelServer;
  let parley: TestParley;
  /** An API process whose operator has configured no language model. */
  let modelless: TestProcess;
  let reply: string;
  before(async () => {
    model = await startModelServer({ answer: () => reply });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
    modelless = await parley.startAnother({ modelBaseUrl: undefined });
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  /** Adds an indexed document with one passage to a bot. */
  async function buildIndexed(place: { orgId: string; botId: string }, title: string) {
    const id = await buildPassage(parley.database, place, 'A day pass costs £9.');
    await parley.database.repository(Document).update({ id }, { title, status: 'indexed', chunkCount: 1 });
  }

  async function buildDrafting(overrides: object = {}) {
    const visit = await buildSession(parley, overrides);
    const draft = async (from: string, client = visit.client) => {
      const path = `/api/ext/bots/${visit.bot.id}/test-questions/draft` as const;
      const { status, body } = await client.post(path, { from });
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    return { ...visit, draft };
  }

  it('lets the bot’s model write questions about its documents, and stores nothing', async () => {
    const { draft, bot, orgId, client } = await buildDrafting();
    await buildIndexed({ orgId, botId: bot.id }, 'Guide');
    reply = '[{"document": 1, "question": "How much is a day?", "words": ["£9", "£8"]}]';
    assert.deepEqual(await draft('documents'), {
      questions: [{ question: 'How much is a day?', expects: 'answer', source: 'Guide', words: ['£9'] }],
      model: 'gpt-4o-mini',
      note: null,
    });
    assert.ok(JSON.stringify(model.requests.at(-1)!.body.messages).includes('A day pass costs £9.'));
    assert.equal((await client.get(`/api/ext/bots/${bot.id}/test-sets`)).body.total, 0);
  });

  it('reports that titles and headings were used if there is no model, and returns those that are questions', async () => {
    const { draft: draftWith, bot, orgId, key } = await buildDrafting();
    const draft = (from: string) => draftWith(from, modelless.client(key));
    assert.deepEqual(await draft('documents'), {
      questions: [],
      model: null,
      note: 'The bot has no indexed documents yet.',
    });
    await buildIndexed({ orgId, botId: bot.id }, 'Guide');
    const { note } = await draft('documents');
    assert.equal(
      note,
      'This bot does not answer with a language model. The documents have no titles or headings that are phrased as questions.',
    );
    await buildIndexed({ orgId, botId: bot.id }, 'What does a day pass cost?');
    const { questions } = await draft('documents');
    assert.deepEqual(
      questions.map(({ question, source }) => [question, source]),
      [['What does a day pass cost?', 'What does a day pass cost?']],
    );
  });

  it('takes questions whose answers were rated with a thumbs up, with the cited document', async () => {
    const { draft, visitor, path, session, bot, orgId } = await buildDrafting();
    assert.deepEqual((await draft('ratings')).questions, []);
    await buildIndexed({ orgId, botId: bot.id }, 'Guide');
    reply = 'A day pass costs £9 [1].';
    const rate = async (content: string, rating: string) => {
      const { body: answer } = await visitor.post(`${path}/messages`, { content });
      const ratings = `/api/ext/public/sessions/${session.session_id}/messages/${answer.id}/rating` as const;
      assert.equal((await visitor.put(ratings, { rating })).status, 200);
    };
    await rate('What does a day pass cost?', 'up');
    await rate('How much is a day pass?', 'down');
    const { questions, note } = await draft('ratings');
    assert.deepEqual(
      questions.map(({ question, source }) => [question, source]),
      [['What does a day pass cost?', 'Guide']],
    );
    assert.equal(note, null);
  });

  it('takes questions that the bot left unanswered', async () => {
    const { draft, visitor, path } = await buildDrafting({ strict_kb_mode: true });
    assert.equal(
      (await draft('unanswered')).note,
      'The bot left no question unanswered in the last 30 days.',
    );
    await visitor.post(`${path}/messages`, { content: 'Do you repair typewriters?' });
    await parley.runtime.services.analytics.questionGrouping.groupBatch(parley.database, null);
    const { questions } = await draft('unanswered');
    assert.deepEqual(
      questions.map(({ question }) => question),
      ['Do you repair typewriters?'],
    );
  });
});
