import assert from 'node:assert/strict';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import { startModelServer, type ModelScript, type ModelServer } from '../support/model-server.ts';
import { recordStatements } from '../support/statements.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildPassage } from '../support/knowledge.ts';
import { buildGraph, buildNode } from './graphs.ts';
import { ASKING, buildFlowBot, OPTIONS, type DrawnFlow } from './flow-visits.ts';

const buildEndGraph = (text: string) => buildGraph([buildNode('end', { message: text })]);

describe('a turn of a flow', () => {
  let model: ModelServer;
  let parley: TestParley;
  let answer: string | ModelScript;
  before(async () => {
    model = await startModelServer({ answer: () => answer });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' });
  });
  beforeEach(() => {
    answer = 'The model says so.';
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });
  const build = (...args: Parameters<typeof buildFlowBot> extends [unknown, ...infer R] ? R : never) =>
    buildFlowBot(parley, ...args);

  it('asks, and continues after the visitor picks an option; a reload shows the question again', async () => {
    const { visit } = await build([{ graph: ASKING, trigger: 'first_message' }]);
    const { say, history, findFlowSession } = await visit();
    const asked = await say('Hello');
    assert.equal(asked.content, 'What is it about?');
    assert.deepEqual(asked.input, { kind: 'choice', options: OPTIONS });
    assert.deepEqual(
      (await history()).map(({ content, input }) => [content, input]),
      [
        ['Hello', null],
        ['What is it about?', { kind: 'choice', options: OPTIONS }],
      ],
    );
    assert.equal((await findFlowSession())!.status, 'waiting');
    const done = await say('A refund', { option_id: 'refund' });
    assert.deepEqual([done.content, done.input], ['So A refund.', null]);
    const { status, sealedState, awaiting } = (await findFlowSession())!;
    assert.deepEqual(
      { status, sealedState, awaiting },
      { status: 'completed', sealedState: null, awaiting: null },
    );
    assert.equal((await say('Thanks')).content, 'The model says so.');
  });

  for (const [what, content, more] of selectCases(
    [
      ['the label', 'a REFUND', {}],
      ['the number of an option', '1', {}],
      ['a label with an unknown id', 'A refund', { option_id: 'nothing' }],
    ] as const,
    1,
  ))
    it(`accepts ${what} as the answer to a question with options`, async () => {
      const { visit } = await build([{ graph: ASKING, trigger: 'first_message' }]);
      const { say } = await visit();
      await say('Hello');
      assert.equal((await say(content, more)).content, 'So A refund.');
    });

  it('continues after the opening, which is not repeated; the first message answers its question', async () => {
    const flows = [
      { graph: ASKING, trigger: 'conversation_started' },
      { graph: buildEndGraph('The keyword.'), trigger: 'keyword:refund' },
    ];
    const { visit } = await build(flows);
    const { say } = await visit();
    assert.equal((await say('A refund', { option_id: 'refund' })).content, 'So A refund.');
  });

  it('continues after an opening without a question, unless a keyword matches; a mere greeting is answered by the bot', async () => {
    const graph = buildGraph(
      [
        buildNode('message', { text: 'Hello' }, 'hello'),
        buildNode('set', { assignments: [{ variable: 'seen', op: 'set', value: '{{last_message}}' }] }),
        buildNode('end', { message: 'You said {{vars.seen}}.' }),
      ],
      'hello set',
      'set end',
    );
    const flows = [
      { graph, trigger: 'conversation_started' },
      { graph: buildEndGraph('The keyword.'), trigger: 'keyword:refund' },
    ];
    const { visit } = await build(flows);
    assert.equal((await (await visit()).say('Hi')).content, 'You said Hi.');
    assert.equal((await (await visit()).say('My refund')).content, 'The keyword.');
    const greeting = await build([{ graph: buildEndGraph('Hello'), trigger: 'conversation_started' }]);
    assert.equal((await (await greeting.visit()).say('Hi')).content, 'The model says so.');
  });

  it('is triggered by keyword, page and first message, in that order', async () => {
    const { visit } = await build([
      { graph: buildEndGraph('First.'), trigger: 'first_message' },
      { graph: buildEndGraph('Page.'), trigger: 'page:/pricing*' },
      { graph: buildEndGraph('Keyword.'), trigger: 'keyword:refund' },
    ]);
    const onPage = await visit({ page_url: 'https://shop.example/pricing/old' });
    assert.equal((await onPage.say('Hello')).content, 'Page.');
    const elsewhere = await visit();
    assert.equal((await elsewhere.say('Hello')).content, 'First.');
    assert.equal((await elsewhere.say('Hello again')).content, 'The model says so.');
    assert.equal((await elsewhere.say('I want a refund!')).content, 'Keyword.');
    assert.equal(
      (await (await visit({ page_url: 'https://shop.example/pricing' })).say('refund')).content,
      'Keyword.',
    );
  });

  it('shows values verbatim: braces in a value are not a template', async () => {
    const graph = buildGraph(
      [
        buildNode('question', { text: 'Name?', input: 'text', variable: 'name' }, 'ask'),
        buildNode('end', { message: 'Hello {{vars.name}}' }),
      ],
      'ask end',
    );
    const { visit } = await build([{ graph, trigger: 'first_message' }]);
    const { say } = await visit();
    await say('Hi');
    assert.equal((await say('{{bot.name}}')).content, 'Hello {{bot.name}}');
  });

  it('answers a visitor’s own question from the documents, and asks again', async () => {
    const { visit, orgId, bot } = await build([{ graph: ASKING, trigger: 'first_message' }]);
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs twelve euros.');
    answer = 'It costs twelve euros [1].';
    const { say } = await visit();
    await say('Hello');
    const asked = await say('What does a day pass cost?');
    assert.equal(asked.content, 'It costs twelve euros [1].\n\nWhat is it about?');
    assert.equal(asked.citations!.length, 1);
    assert.deepEqual(asked.input, { kind: 'choice', options: OPTIONS });
    assert.equal((await say('2')).content, 'So Something else.');
  });

  it('starts a no_answer flow if the documents have nothing', async () => {
    const { visit, orgId, bot } = await build([
      { graph: buildEndGraph('Write to us.'), trigger: 'no_answer' },
    ]);
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs twelve euros.');
    answer = 'It costs twelve euros [1].';
    const { say } = await visit();
    assert.equal((await say('What does a day pass cost?')).content, 'It costs twelve euros [1].');
    assert.equal((await say('Xylophone zebras?')).content, 'Write to us.');
  });

  it('calls the model, counts its tokens, and stores its text in a variable', async () => {
    const graph = buildGraph(
      [
        buildNode('model_answer', { instructions: 'Praise {{last_message}}.', save_as: 'praise' }),
        buildNode('end', { message: 'Well: {{vars.praise}}' }),
        buildNode('end', {}, 'failed'),
      ],
      'model_answer end',
      'model_answer error failed',
    );
    const { visit, client } = await build([{ graph, trigger: 'first_message' }]);
    answer = 'Fine';
    const { say, id } = await visit();
    assert.equal((await say('cats')).content, 'Well: Fine');
    assert.match(model.requests.at(-1)!.body.messages[0]!.content, /Praise cats\./);
    const { body } = await client.get(`/api/conversations/${id}`);
    const said = body.messages.at(-1)!;
    assert.equal(said.model, 'gpt-4o-mini');
    assert.ok(said.input_tokens! > 0 && said.output_tokens! > 0 && said.cost_usd! > 0);
    assert.equal(body.total_input_tokens, said.input_tokens);
  });

  itInSoak('adds the tokens of a silent model call to those of the bot’s answer', async () => {
    const graph = buildGraph(
      [
        buildNode('model_answer', { instructions: 'Which kind of question is it?', save_as: 'kind' }),
        buildNode('end'),
        buildNode('end', { message: 'No model.' }, 'failed'),
      ],
      'model_answer end',
      'model_answer error failed',
    );
    const readUsage = async (flows: DrawnFlow[]) => {
      const { visit, client } = await build(flows);
      const { say, id } = await visit();
      assert.equal((await say('cats')).content, 'The model says so.');
      return (await client.get(`/api/conversations/${id}`)).body.total_output_tokens;
    };
    assert.equal(await readUsage([{ graph, trigger: 'first_message' }]), 2 * (await readUsage([])));
  });

  it('adds no database query for a bot without flows', async () => {
    const { visit } = await build([]);
    const { say } = await visit();
    await say('Hello');
    const statements = await recordStatements(parley, () => say('Hello again'));
    assert.ok(statements.length > 0);
    assert.deepEqual(
      statements.filter((statement) =>
        /\bflow/.test(statement.replaceAll(/active_flow_count|is_in_flow/g, '')),
      ),
      [],
    );
  });

  it('jumps to another flow of the bot, which may be inactive', async () => {
    const { visit, draw, activate } = await build([]);
    const target = await draw({ graph: ASKING, name: 'Target' });
    await activate({
      graph: buildGraph([buildNode('jump', { flow_id: target.id })]),
      trigger: 'first_message',
    });
    const { say, findFlowSession } = await visit();
    assert.equal((await say('Hi')).content, 'What is it about?');
    assert.equal((await findFlowSession())!.flowId, target.id);
    assert.equal((await say('2')).content, 'So Something else.');
  });

  it('fails with the fallback message after 50 steps, and shows the team the reason', async () => {
    const graph = buildGraph(
      [buildNode('set', { assignments: [{ variable: 'n', op: 'add', value: 1 }] })],
      'set set',
    );
    const { visit, client, bot } = await build([{ graph, trigger: 'first_message' }], {
      fallback_message: 'Sorry, that is beyond me.',
    });
    const { say, findFlowSession } = await visit();
    const said = await say('Hi');
    assert.deepEqual([said.content, said.is_error], ['Sorry, that is beyond me.', false]);
    const { status, failure } = (await findFlowSession())!;
    assert.deepEqual(
      [status, failure],
      ['failed', 'Node "set": More than 50 steps ran without input from the visitor.'],
    );
    const { body } = await client.get(`/api/bots/${bot.id}`);
    assert.equal(body.last_error, failure);
    assert.equal((await say('Hi')).content, 'The model says so.');
  });
});
