import assert from 'node:assert/strict';
import { answerTexts } from '../../core/conversations/answer-texts.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { refersBack, appendPreviousTerms } from '../../core/answers/follow-up.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { buildPassage } from '../support/knowledge.ts';
import {
  isJudgmentPrompt,
  startModelServer,
  type ModelScript,
  type ModelServer,
} from '../support/model-server.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

const buildHistory = (...contents: string[]) =>
  contents.map((content, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content,
  }));

describe('the search query for a message', () => {
  for (const message of [
    'and for two?',
    'What about children?',
    'How much does it cost?',
    'For two?',
    'Und wie teuer ist das?',
    'Kann ich davon zwei haben?',
    'Combien coûte-t-il ?',
    'Which ones are open?',
  ]) {
    it(`includes earlier turns for “${message}”`, () => assert.equal(refersBack(message), true));
  }

  for (const message of [
    'What does a day pass cost?',
    'Where is the workshop?',
    'The motor is too hot, what shall I do?',
    'Wie lange gilt das Tagesticket?',
    'Gibt es einen Rabatt für Studenten?',
    'Y a-t-il une réduction ?',
    'Is there a refund if the station that I booked is closed on that day?',
    'Thanks!',
    'And which documents do I need for renting a cargo bike abroad?',
  ]) {
    it(`uses only the message itself for “${message}”`, () => assert.equal(refersBack(message), false));
  }

  it('adds significant words of the visitor’s earlier turns, newest first, without duplicates', () => {
    assert.equal(
      appendPreviousTerms(buildHistory('What does a day pass cost?', 'Twelve euros.', 'and for two?')),
      'and for two? day pass cost',
    );
    assert.equal(
      appendPreviousTerms(
        buildHistory(
          'Tell me of the day pass',
          'Yes?',
          'And for children?',
          'Free.',
          'And for two children?',
        ),
      ),
      'And for two children? day pass',
    );
    assert.equal(appendPreviousTerms(buildHistory('and for two?')), 'and for two?');
  });
});

describe('the search query of a turn', () => {
  const passage = 'A day pass costs 12 euros. Two people pay 20 euros for it.';
  let model: ModelServer;
  let parley: TestParley;
  /** An API process in which rewriting a visitor's question times out after one second instead of ten. */
  let hurried: TestProcess;
  let rewriting: string | ModelScript;
  before(async () => {
    model = await startModelServer({
      answer: ({ messages }) =>
        messages[0]!.content.startsWith('You get the end') ? rewriting : 'Two pay 20 euros [1].',
    });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, questionRewriteMs: 10000 });
    hurried = await parley.startAnother({ questionRewriteMs: 1000 });
  });
  beforeEach(() => {
    rewriting = 'What does a day pass cost for two?';
    model.requests.splice(0);
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  async function buildGuide(overrides: object = {}) {
    const session = await buildSession(parley, { strict_kb_mode: true, ...overrides });
    await buildPassage(parley.database, { orgId: session.orgId, botId: session.bot.id }, passage);
    const tryMessage = async (message: string, history: object[] = [], client = session.client) =>
      (await client.post(`/api/bots/${session.bot.id}/playground`, { message, history })).body;
    return { ...session, attempt: tryMessage };
  }
  const before_ = buildHistory('What does a day pass cost?', 'Twelve euros [1].');
  const countCalls = () => model.requests.filter(({ body }) => !isJudgmentPrompt(body)).length;

  it('is the model’s rewriting of a follow-up in tryBot, whose input_tokens include those of the rewriting', async () => {
    const { attempt } = await buildGuide();
    const reply = await attempt('and for two?', before_);
    assert.equal(reply.searched_for, 'What does a day pass cost for two?');
    assert.equal(reply.content, 'Two pay 20 euros [1].');
    assert.equal(reply.citations[0]?.quote, 'Two people pay 20 euros for it.');
    assert.equal(countCalls(), 2);
    const alone = await attempt('What does a day pass cost for two?', before_);
    assert.ok(reply.input_tokens! > alone.input_tokens!);
  });

  it('finds passages in tryBot, of which the model gets the best six', async () => {
    const { attempt, orgId, bot } = await buildGuide();
    for (let number = 1; number <= 7; number += 1)
      await buildPassage(
        parley.database,
        { orgId, botId: bot.id },
        `A day pass for zone ${number} costs more.`,
      );
    await attempt('What does a day pass cost?');
    const prompt = model.requests.at(-1)!.body.messages[0]!.content;
    assert.match(prompt, /Only the numbers 1 to 6 exist\./);
  });

  it('is the message itself in tryBot, without a rewriting, if it can be understood alone', async () => {
    const { attempt } = await buildGuide();
    const reply = await attempt('What does a day pass cost?', before_);
    assert.equal(reply.searched_for, 'What does a day pass cost?');
    assert.equal(countCalls(), 1);
    const first = await attempt('and for two?');
    assert.equal(first.searched_for, 'and for two?');
  });

  for (const [name, script] of selectCases(
    [
      ['fails', { raw: { status: 500, contentType: 'text/plain', body: 'no' } }],
      ['is silent', { hang: 'at-once' }],
      ['returns an endless reply', `${'word '.repeat(100)}?`],
    ] as const,
    1,
  )) {
    it(`contains words of earlier turns in tryBot if the model ${name}`, async () => {
      rewriting = script;
      const { attempt, key } = await buildGuide();
      const reply = await attempt('and for two?', before_, hurried.client(key));
      assert.equal(reply.searched_for, 'and for two? day pass cost');
      assert.equal(reply.content, 'Two pay 20 euros [1].');
    });
  }

  it('is null in tryBot if the bot has no documents', async () => {
    const { client, bot } = await buildSession(parley);
    const { body } = await client.post(`/api/bots/${bot.id}/playground`, { message: 'Hello there' });
    assert.equal(body.searched_for, null);
  });

  it('is rewritten for visitors as well, and their unanswered questions are marked', async () => {
    const { visitor, path, session } = await buildGuide();
    await visitor.post(`${path}/messages`, { content: 'What does a day pass cost?' });
    const { body } = await visitor.post(`${path}/messages`, { content: 'and for two?' });
    assert.equal(body.content, 'Two pay 20 euros [1].');
    const strange = await visitor.post(`${path}/messages`, { content: 'Which planets have rings?' });
    assert.equal(strange.body.content, answerTexts('en').fallback);
    const rows = await parley.database.repository(Message).find({
      where: { conversationId: session.session_id, role: 'assistant' },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    assert.deepEqual(
      rows.map(({ isUnanswered }) => isUnanswered),
      [false, false, true],
    );
  });
});
