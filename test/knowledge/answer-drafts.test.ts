import assert from 'node:assert/strict';
import { buildPassage } from '../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { buildSession } from '../support/widget.ts';
import type { TestProcess } from '../support/parley.ts';

const QUESTION = 'Do you rent tandems?';
const REPLY = 'Yes, Ada: tandems cost £25 a day.';

describe('answers to unanswered questions:', () => {
  let model: ModelServer;
  let parley: TestParleyWithWorker;
  /** An API process whose operator has configured no language model. */
  let modelless: TestProcess;
  let reply: string;
  before(async () => {
    model = await startModelServer({ answer: () => reply });
    parley = await startParleyWithWorker({
      PARLEY_MODEL_BASE_URL: model.baseUrl,
      PARLEY_MODEL: 'gpt-4o-mini',
    });
    modelless = await parley.startAnother({ modelBaseUrl: undefined });
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  /** Builds a bot to which a visitor has asked `QUESTION`. */
  async function buildAsked() {
    const visit = await buildSession(parley, { strict_kb_mode: true, handoff_enabled: true });
    const { client, visitor, path, bot, session } = visit;
    await visitor.post(`${path}/messages`, { content: QUESTION });
    const drafts = `/api/ext/bots/${bot.id}/answer-drafts` as const;
    const draft = async (caller = client, conversationIds = [session.session_id]) => {
      const body = { question: QUESTION, conversation_ids: conversationIds };
      const response = await caller.post(drafts, body);
      assert.equal(response.status, 200, JSON.stringify(response.body));
      return response.body;
    };
    return { ...visit, drafts, draft };
  }

  async function buildReplied() {
    const asked = await buildAsked();
    const { client, visitor, path, session } = asked;
    await visitor.post(`${path}/handoff`, {});
    await client.post(`/api/inbox/${session.session_id}/claim`);
    await client.post(`/api/inbox/${session.session_id}/reply`, { content: REPLY });
    return asked;
  }

  it('draftAnswer lets the model write from the team’s replies, and returns the replies themselves without a model', async () => {
    const { draft, key } = await buildReplied();
    reply = 'Tandems cost £25 a day.';
    assert.deepEqual(await draft(), { answer: reply, source: 'team', model: 'gpt-4o-mini' });
    assert.ok(JSON.stringify(model.requests.at(-1)!.body.messages).includes(REPLY));
    reply = 'NONE';
    assert.deepEqual(await draft(), { answer: REPLY, source: 'team', model: null });
    const plain = await draft(modelless.client(key));
    assert.deepEqual(plain, { answer: REPLY, source: 'team', model: null });
  });

  it('draftAnswer drafts from documents if there are no replies, and otherwise returns an empty answer', async () => {
    const { draft, key, bot, orgId } = await buildAsked();
    assert.deepEqual(await draft(), { answer: '', source: 'none', model: null });
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'You can rent tandems for £25 a day.');
    const { answer, source } = await draft(modelless.client(key));
    assert.deepEqual([answer, source], ['You can rent tandems for £25 a day.', 'documents']);
  });

  it('draftAnswer ignores conversations of other bots', async () => {
    const { client, session } = await buildReplied();
    const { body: other } = await client.post('/api/bots', { name: 'Guide', strict_kb_mode: true });
    const { body } = await client.post(`/api/ext/bots/${other.id}/answer-drafts`, {
      question: QUESTION,
      conversation_ids: [session.session_id],
    });
    assert.equal(body.source, 'none');
  });

  it('testAnswer answers with the entry, and stores nothing', async () => {
    const { client, key, drafts, bot } = await buildAsked();
    const test = async (message: string) => {
      const entry = { question: QUESTION, answer: 'Tandems cost £25 a day.' };
      const { body } = await modelless.client(key).post(`${drafts}/test`, { message, ...entry });
      return [body.uses_entry, body.is_unanswered, body.content];
    };
    assert.deepEqual(await test('Do you rent a tandem?'), [true, false, 'Tandems cost £25 a day. [1]']);
    const [usesEntry, isUnanswered] = await test('When are you open?');
    assert.deepEqual([usesEntry, isUnanswered], [false, true]);
    assert.equal((await client.get(`/api/bots/${bot.id}/knowledge`)).body.total, 0);
  });

  it('createDocument publishes the answer with is_qa, and searches prefer the published answer for its question', async () => {
    const { client, bot } = await buildAsked();
    const knowledge = `/api/bots/${bot.id}/knowledge` as const;
    const page = 'Do you rent tandems? We rent tandems, tandems and more tandems. Rent tandems from us.';
    const create = async (body: object) =>
      (await client.post(knowledge, { source_type: 'raw_text', ...body })).body;
    const documents = [
      await create({ title: 'Tandems to rent', raw_text: page }),
      await create({ title: QUESTION, raw_text: 'Yes, for £25 a day.', is_qa: true }),
    ];
    assert.deepEqual(
      documents.map(({ is_qa: isQa }) => isQa),
      [false, true],
    );
    await waitUntilEqual(
      async () => (await client.get(knowledge)).body.items.map(({ status }) => status),
      ['indexed', 'indexed'],
    );
    const { body: found } = await client.post(`${knowledge}/search`, { query: QUESTION });
    assert.equal(found.items[0]?.text, 'Yes, for £25 a day.', JSON.stringify(found));
  });

  it('createDocument refuses is_qa for other sources, and without a question', async () => {
    const { client, bot } = await buildAsked();
    const create = async (body: object) =>
      formatOutcome(await client.post(`/api/bots/${bot.id}/knowledge`, { is_qa: true, ...body }));
    assert.equal(
      await create({ source_type: 'url', url: 'https://example.com', title: QUESTION }),
      '422 validation_error',
    );
    assert.equal(await create({ source_type: 'raw_text', raw_text: 'Yes.' }), '422 validation_error');
  });
});
