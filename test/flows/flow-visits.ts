import assert from 'node:assert/strict';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import type { SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { buildGraph, buildNode } from './graphs.ts';

export const OPTIONS = [
  { id: 'refund', label: 'A refund' },
  { id: 'other', label: 'Something else' },
];

/** Graph of a flow that asks the visitor for a topic, and repeats it. */
export const ASKING = buildGraph(
  [
    buildNode(
      'question',
      { text: 'What is it about?', input: 'choice', options: OPTIONS, variable: 'topic' },
      'ask',
    ),
    buildNode('end', { message: 'So {{vars.topic}}.' }, 'done'),
    buildNode('end', { message: 'Never mind.' }, 'never'),
  ],
  'ask done',
  'ask invalid never',
);

export interface DrawnFlow {
  graph: FlowGraph;
  trigger?: string | null;
  name?: string;
}

/** Builds a bot with active flows in a new workspace. */
export async function buildFlowBot(parley: SharedParley, flows: DrawnFlow[], overrides: object = {}) {
  const built = await buildActiveBot(parley, overrides);
  const { client, bot } = built;
  const draw = async ({ graph, trigger = null, name = 'Flow' }: DrawnFlow) => {
    const { body, status } = await client.post('/api/flows', { bot_id: bot.id, name, graph, trigger });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const activate = async (flow: DrawnFlow) => {
    const drawn = await draw(flow);
    const { body, status } = await client.post(`/api/flows/${drawn.id}/activate`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const active = [];
  for (const flow of flows) active.push(await activate(flow));
  return {
    ...built,
    active,
    draw,
    activate,
    visit: (body: object = {}) => visit(parley, bot.public_key, body),
  };
}

/** Starts a visitor's session with the bot of the public key. */
async function visit(parley: SharedParley, publicKey: string, body: object = {}) {
  const { body: session, status } = await parley
    .client()
    .post(`/api/public/bots/${publicKey}/sessions`, body);
  assert.equal(status, 201);
  const visitor = parley.client(session.visitor_token);
  const path = `/api/public/sessions/${session.session_id}` as const;
  const say = async (content: string, more: object = {}) => {
    const { body: message, status: sent } = await visitor.post(`${path}/messages`, { content, ...more });
    assert.equal(sent, 201, JSON.stringify(message));
    return message;
  };
  const history = async () => (await visitor.get(`${path}/messages`)).body;
  const findFlowSession = () =>
    parley.database.repository(FlowSession).findOneBy({ conversationId: session.session_id });
  return { session, visitor, path, say, history, findFlowSession, id: session.session_id };
}
