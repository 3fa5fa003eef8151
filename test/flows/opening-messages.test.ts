import assert from 'node:assert/strict';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import { buildOpening } from '../../core/flows/opening-messages.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { buildGraph, buildNode } from './graphs.ts';

const OPTIONS = [
  { id: 'refund', label: 'A refund' },
  { id: 'other', label: 'Something else' },
];
const ASK = { text: 'What is it about?', input: 'choice', options: OPTIONS };
const ASKING = buildGraph(
  [buildNode('message', { text: 'Hello' }), buildNode('question', ASK), buildNode('end')],
  'message question',
  'question end',
);

describe('the opening of a flow', () => {
  const describeOpening = (graph: FlowGraph) => {
    const opening = buildOpening(graph, { bot: { name: 'Ada' } });
    return opening && [opening.text, opening.input?.kind ?? null, opening.state.nodeId, opening.hasFlowEnded];
  };

  it('contains the messages up to the first question', () => {
    assert.deepEqual(describeOpening(ASKING), ['Hello\n\nWhat is it about?', 'choice', 'question', false]);
  });

  it('ends before a step with an effect', () => {
    const graph = buildGraph(
      [
        buildNode('message', { text: 'Hello' }),
        buildNode('set', { assignments: [] }),
        buildNode('message', { text: 'x' }, 'b'),
      ],
      'message set',
      'set b',
    );
    assert.deepEqual(describeOpening(graph), ['Hello', null, 'set', false]);
  });

  it('is the whole flow if it only sends messages', () => {
    const graph = buildGraph(
      [buildNode('message', { text: 'Hello' }), buildNode('end', { message: 'Bye' })],
      'message end',
    );
    assert.deepEqual(describeOpening(graph), ['Hello\n\nBye', null, 'end', true]);
  });

  it('fills in the bot’s values and fallbacks, and ends before a text with neither a value nor a fallback', () => {
    const graph = buildGraph(
      [
        buildNode('message', { text: 'I am {{bot.name}}, hello {{contact.name|there}}' }, 'a'),
        buildNode('message', { text: 'You are on {{visitor.page_url}}' }, 'b'),
      ],
      'a b',
    );
    assert.deepEqual(describeOpening(graph), ['I am Ada, hello there', null, 'b', false]);
  });

  it('is null if the flow begins with another type of step, or with a cycle', () => {
    assert.equal(describeOpening(buildGraph([buildNode('handoff')])), null);
    assert.equal(
      describeOpening(buildGraph([buildNode('message', { text: 'Hello' })], 'message message')),
      null,
    );
  });
});

describe('getWidgetConfig', () => {
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  it('returns the opening of the active conversation_started flow', async () => {
    const { client, bot } = await buildActiveBot(parley, { welcome_message: 'Welcome' });
    const config = async () =>
      (await parley.client('').get(`/api/public/bots/${bot.public_key}/config`)).body.opening;
    assert.equal(await config(), null);
    const flow = { bot_id: bot.id, name: 'Hello', graph: ASKING, trigger: 'conversation_started' };
    const { body } = await client.post('/api/flows', flow);
    assert.equal(await config(), null);
    await client.post(`/api/flows/${body.id}/activate`);
    const text = 'Hello\n\nWhat is it about?';
    assert.deepEqual(await config(), { text, input: { kind: 'choice', options: OPTIONS } });
    await client.put(`/api/flows/${body.id}`, { ...flow, trigger: 'first_message' });
    assert.equal(await config(), null);
  });
});
