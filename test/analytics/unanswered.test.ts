import assert from 'node:assert/strict';
import { Message } from '../../entities/conversations/message.entity.ts';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { buildFlowBot, type DrawnFlow } from '../flows/flow-visits.ts';
import { buildPassage } from '../support/knowledge.ts';
import { startModelServer, type ModelScript, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';

const KNOWN = 'What does a day pass cost?';
const UNKNOWN = 'Which planets have rings?';
const FAILS: ModelScript = { raw: { status: 500, contentType: 'text/plain', body: 'no' } };

interface Scene {
  hasDocuments?: boolean;
  flow?: DrawnFlow;
  strict_kb_mode?: boolean;
}

describe('isUnanswered', () => {
  let model: ModelServer;
  let parley: TestParley;
  let answer: string | ModelScript;
  before(async () => {
    model = await startModelServer({ answer: () => answer });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
  });
  beforeEach(() => (answer = 'It costs twelve euros [1].'));
  after(async () => {
    await parley.stop();
    await model.close();
  });

  /** Returns whether analytics counts the bot's answer to a question as unanswered. */
  async function isUnanswered(
    question: string,
    { hasDocuments = true, flow, ...overrides }: Scene = {},
  ): Promise<boolean> {
    const { visit, orgId, bot } = await buildFlowBot(parley, flow ? [flow] : [], overrides);
    if (hasDocuments)
      await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs twelve euros.');
    const { say, id } = await visit();
    await say(question);
    const rows = await parley.database.repository(Message).findBy({ conversationId: id, role: 'assistant' });
    assert.equal(rows.length, 1);
    return rows[0]!.isUnanswered;
  }

  const consults: DrawnFlow = {
    trigger: 'first_message',
    graph: buildGraph(
      [
        buildNode('knowledge_answer'),
        buildNode('end'),
        buildNode('end', { message: 'Please write to us.' }, 'none'),
      ],
      'knowledge_answer end',
      'knowledge_answer not_found none',
    ),
  };
  const loops: DrawnFlow = {
    trigger: 'first_message',
    graph: buildGraph(
      [buildNode('set', { assignments: [{ variable: 'n', op: 'add', value: 1 }] })],
      'set set',
    ),
  };
  const greets: DrawnFlow = {
    trigger: 'first_message',
    graph: buildGraph([buildNode('end', { message: 'Hello' })]),
  };

  for (const [what, question, options, expected] of [
    ['is false with passages', KNOWN, {}, false],
    ['is true without a passage if there are documents', UNKNOWN, {}, true],
    ['is false without a passage if there are no documents', UNKNOWN, { hasDocuments: false }, false],
    ['is true for the fallback', UNKNOWN, { hasDocuments: false, strict_kb_mode: true }, true],
    ['is false for a flow’s answer from documents', KNOWN, { flow: consults }, false],
    ['is true for a flow whose search of the documents fails', UNKNOWN, { flow: consults }, true],
    ['is false for a flow that searches no documents', UNKNOWN, { flow: greets }, false],
    ['is true for a flow that fails', KNOWN, { flow: loops }, true],
  ] as [string, string, Scene, boolean][])
    it(what, async () => assert.equal(await isUnanswered(question, options), expected));

  it('returns true if the model fails', async () => {
    answer = FAILS;
    assert.equal(await isUnanswered(KNOWN), true);
    assert.equal(await isUnanswered(KNOWN, { flow: consults }), true);
  });
});
