import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { buildBot } from '../support/build-bot.ts';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import { buildPassage } from '../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { readSnapshot } from '../support/snapshot.ts';
import { buildGraph, buildNode } from './graphs.ts';

const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];
const ORDER = buildGraph(
  [
    buildNode('question', { text: 'Which order?', input: 'text', variable: 'order' }, 'ask'),
    buildNode(
      'http_request',
      {
        method: 'GET',
        url: 'http://127.0.0.1:9/{{vars.order}}',
        save: [{ path: 'state', variable: 'state' }],
      },
      'look',
    ),
    buildNode(
      'question',
      { text: 'It is {{vars.state|unknown}}. Fine?', input: 'choice', options, on_other: 'retry' },
      'fine',
    ),
    buildNode('handoff', { message: 'Wait a moment.' }, 'people'),
    buildNode('end', { message: 'Bye' }),
  ],
  'ask look',
  'look fine',
  'look error end',
  'fine option:yes end',
  'fine option:no people',
  'people unavailable end',
);

describe('testFlow', () => {
  let parley: SharedParley;
  let model: ModelServer;
  before(async () => {
    model = await startModelServer();
    parley = await startSharedParley();
  });
  after(async () => {
    await model.close();
  });

  async function build(graph: object = ORDER, overrides: object = {}) {
    const built = await buildBot(parley, overrides);
    const flow = { bot_id: built.bot.id, name: 'Orders', graph };
    const { body, status } = await built.client.post('/api/flows', flow);
    assert.equal(status, 201, JSON.stringify(body));
    const send = (test: object = {}) => built.client.post(`/api/flows/${body.id}/run`, test);
    const run = async (test: object = {}) => {
      const response = await send(test);
      assert.equal(response.status, 200, JSON.stringify(response.body));
      return response.body;
    };
    return { ...built, flow: body, send, run };
  }

  it('returns the path, the messages, and the expected input', async () => {
    const { run } = await build();
    const input = { node_id: 'fine', kind: 'choice', options };
    assert.deepEqual(
      await run({ inputs: ['A-1'], samples: { look: { port: 'out', body: { state: 'sent' } } } }),
      {
        outcome: 'waiting',
        path: [
          {
            node_id: 'start',
            type: 'start',
            port: 'out',
            input: null,
            output: null,
            note: null,
            changed: {},
          },
          {
            node_id: 'ask',
            type: 'question',
            port: null,
            input: null,
            output: 'Which order?',
            note: null,
            changed: {},
          },
          {
            node_id: 'ask',
            type: 'question',
            port: 'out',
            input: 'A-1',
            output: null,
            note: null,
            changed: { order: 'A-1' },
          },
          {
            node_id: 'look',
            type: 'http_request',
            port: 'out',
            input: null,
            output: null,
            note: null,
            changed: { state: 'sent' },
          },
          {
            node_id: 'fine',
            type: 'question',
            port: null,
            input: null,
            output: 'It is sent. Fine?',
            note: null,
            changed: {},
          },
        ],
        messages: [
          {
            role: 'assistant',
            content: 'Which order?',
            input: { node_id: 'ask', kind: 'text', options: [] },
          },
          { role: 'user', content: 'A-1' },
          { role: 'assistant', content: 'It is sent. Fine?', input },
        ],
        variables: { order: 'A-1', state: 'sent' },
        waiting_for: input,
        error: null,
        warnings: [],
        lacking: [{ field: 'graph.nodes[4].data', message: 'Node "people": needs handoff_enabled' }],
      },
    );
  });

  it('lists errors that prevent activation, and still walks the graph', async () => {
    const { run, client, bot } = await build(ORDER, { handoff_enabled: true });
    assert.deepEqual((await run()).lacking, []);
    const empty = buildGraph([buildNode('message', { text: ' ' }), buildNode('end')], 'message end');
    const { outcome, lacking } = await run({ graph: empty });
    assert.equal(outcome, 'completed');
    assert.deepEqual(lacking, [
      { field: 'graph.nodes[1].data.text', message: 'Node "message": text must not be empty' },
    ]);
    const unready = { bot_id: bot.id, name: 'Unready', graph: empty };
    const { id } = (await client.post('/api/flows', unready)).body;
    const { lacking: further } = await run({ graph: buildGraph([buildNode('jump', { flow_id: id })]) });
    assert.deepEqual(further, [
      {
        field: 'graph',
        message: 'leads to the flow "Unready", which cannot run yet: Node "message": text must not be empty',
      },
    ]);
  });

  it('has no effect: no row, no event, no request, and an unchanged flow', async () => {
    const { run, client, flow } = await build(ORDER, { handoff_enabled: true });
    const { audit_events: _, ...before } = await readSnapshot(parley.database);
    const graph = buildGraph(
      [
        buildNode('set', { assignments: [{ variable: 'a', op: 'set', value: 1 }], to_contact: true }),
        buildNode('handoff'),
      ],
      'set handoff',
    );
    const { outcome, warnings } = await run({ graph });
    assert.equal(outcome, 'handed_over');
    assert.match(warnings.join(' '), /Node "handoff" has no message/);
    assert.equal((await run({ inputs: ['A', { option_id: 'no' }] })).outcome, 'handed_over');
    const { audit_events: __, ...afterwards } = await readSnapshot(parley.database);
    assert.deepEqual(afterwards, before);
    assert.deepEqual((await client.get(`/api/flows/${flow.id}`)).body, flow);
  });

  it('warns of skipped requests and models, and of unused inputs', async () => {
    const { run } = await build();
    const { outcome, warnings, path } = await run({ inputs: ['A', 'yes', 'more'] });
    assert.equal(outcome, 'completed');
    assert.deepEqual(warnings, [
      'Node "look": no request was sent; add a sample to set the response.',
      'The flow ended before it used 1 of the inputs.',
    ]);
    assert.equal(path.find(({ node_id: id }) => id === 'look')!.note, 'GET http://127.0.0.1:9/A');
    const writing = buildGraph([buildNode('model_answer', { instructions: 'Greet.' })]);
    assert.deepEqual((await run({ graph: writing })).warnings, [
      'Node "model_answer": no model was called; add a sample to set its text.',
    ]);
  });

  it('follows the port that a sample chooses, and hands over only if handoffs are enabled', async () => {
    const { run } = await build();
    const { messages } = await run({ inputs: ['A'], samples: { look: { port: 'error' } } });
    assert.equal(messages.at(-1)!.content, 'Bye');
    assert.equal((await run({ inputs: ['A', 'No'] })).messages.at(-1)!.content, 'Bye');
    const people = { people: { port: 'out' } };
    assert.equal((await run({ inputs: ['A', 'No'], samples: people })).outcome, 'handed_over');
  });

  it('searches the bot’s documents, and quotes passages', async () => {
    const graph = buildGraph(
      [buildNode('knowledge_answer'), buildNode('end', { message: 'No idea' }, 'none')],
      'knowledge_answer not_found none',
    );
    const { run, bot, orgId } = await build(graph);
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs twelve euros.');
    const { messages, warnings } = await run({ message: 'What does a day pass cost?' });
    assert.equal(messages[0]!.content, 'A day pass costs twelve euros.');
    assert.equal(warnings.length, 1);
    assert.equal((await run({ message: 'Zebras?' })).messages[0]!.content, 'No idea');
    const silent = await run();
    assert.deepEqual(
      [silent.messages[0]!.content, silent.path[1]!.note],
      ['No idea', 'There was nothing to search for.'],
    );
  });

  itInSoak(
    'calls the bot’s model if use_model is true, and takes the `error` port without a model',
    async () => {
      const graph = buildGraph(
        [
          buildNode('model_answer', { instructions: 'Greet {{vars.name}}.' }),
          buildNode('end', { message: 'Sorry' }),
        ],
        'model_answer error end',
      );
      const none = await build(graph);
      assert.equal((await none.run({ use_model: true })).messages[0]!.content, 'Sorry');
      const incomplete = await build(graph, { llm_provider: 'custom' });
      const { path } = await incomplete.run({ use_model: true });
      assert.equal(
        path.find(({ type }) => type === 'model_answer')!.note,
        'llm_provider is custom, but the bot has no URL for its language model; set custom_endpoint_config.endpoint_url.',
      );
      const asked = await build(graph, {
        llm_provider: 'custom',
        custom_endpoint_config: { endpoint_url: `${model.origin}/v1/chat/completions`, model: 'm' },
      });
      const { outcome, messages } = await asked.run({ use_model: true, variables: { name: 'Ada' } });
      assert.equal(outcome, 'completed');
      assert.ok(messages[0]!.content.length > 0 && messages[0]!.content !== 'Sorry', messages[0]!.content);
      assert.match(JSON.stringify(model.requests.at(-1)), /Greet Ada\./);
    },
  );

  it('provides contact, page, bot and variables', async () => {
    const text = '{{contact.name}} {{visitor.page_url}} {{bot.name}} {{vars.n}} {{contact.constructor|none}}';
    const { run } = await build(
      buildGraph([buildNode('set', { assignments: [{ variable: 't', op: 'set', value: text }] })]),
    );
    const { variables } = await run({
      contact: { name: 'Ada' },
      page_url: 'https://shop.example.com/',
      variables: { n: '{{bot.name}}' },
    });
    assert.equal(variables['t'], 'Ada https://shop.example.com/ Help desk {{bot.name}} none');
  });

  itInSoak('ends an endless jump, and a run that exceeds the requested steps', async () => {
    const endless = buildGraph([buildNode('jump', { node: 'jump' })]);
    const { run, flow } = await build(endless);
    const { outcome, error, path } = await run();
    assert.deepEqual([outcome, error!.node_id, error!.code], ['failed', 'jump', 'too_many_steps']);
    assert.equal(path.length, 50);
    assert.equal((await run({ max_steps: 3 })).path.length, 3);
    const toItself = buildGraph([buildNode('jump', { flow_id: flow.id })]);
    assert.equal((await run({ graph: toItself })).error!.code, 'too_many_steps');
  });

  itInSoak('ends a run whose variables exceed the response', async () => {
    const assignments = Array.from({ length: 20 }, (_, at) => ({
      variable: `v${at}`,
      op: 'set',
      value: 'x'.repeat(4000),
    }));
    const { run } = await build(buildGraph([buildNode('set', { assignments })], 'set set'));
    const { error, path } = await run();
    assert.deepEqual([error!.code, path.length], ['too_much_text', 8]);
  });

  it('continues in another flow of the same bot, but not in a flow of another bot', async () => {
    const { client, flow, run } = await build(buildGraph([buildNode('end', { message: 'There' })]));
    const { body: other } = await client.post('/api/bots', { name: 'Other' });
    const { body: foreign } = await client.post('/api/flows', {
      bot_id: other.id,
      name: 'F',
      graph: flow.graph,
    });
    const to = (id: string) => buildGraph([buildNode('jump', { flow_id: id })]);
    assert.equal((await run({ graph: to(flow.id) })).messages[0]!.content, 'There');
    for (const id of [foreign.id, newId()])
      assert.equal((await run({ graph: to(id) })).error!.code, 'unknown_flow');
  });

  for (const [what, test, field] of selectCases(
    [
      [
        'a graph with errors',
        { graph: { ...ORDER, edges: [{ source: 'start', target: 'x' }] } },
        'graph.edges[0].target',
      ],
      ['invalid names of variables', { variables: JSON.parse('{"__proto__": 1}') as object }, 'variables'],
      ['a variable that is too long', { variables: { a: 'x'.repeat(4001) } }, 'variables'],
      ['a sample of an unknown node', { samples: { gone: { port: 'out' } } }, 'samples.gone'],
      ['a sample with an unknown port', { samples: { look: { port: 'maybe' } } }, 'samples.look.port'],
      ['an invalid sample', { samples: { look: null } }, 'samples.look.port'],
      [
        'a sample larger than a response',
        { samples: { look: { port: 'out', body: 'x'.repeat(262_144) } } },
        'samples.look.body',
      ],
      ['fifty-one inputs', { inputs: Array.from({ length: 51 }, () => 'a') }, 'inputs'],
      ['an input that is neither text nor option', { inputs: [{ text: 'a' }] }, 'inputs[0].option_id'],
      ['501 steps', { max_steps: 501 }, 'max_steps'],
    ] as const,
    4,
  ))
    it(`refuses ${what}`, async () => {
      const { send } = await build();
      const { status, problem } = await send(test);
      assert.deepEqual([status, problem.details[0]!.field], [422, field]);
    });

  it('returns 404 for a flow of a deleted bot', async () => {
    const { send, client, bot } = await build();
    await client.delete(`/api/bots/${bot.id}`);
    assert.equal(formatOutcome(await send()), '404 not_found');
  });
});
