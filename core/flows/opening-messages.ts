import type { FlowGraph, FlowNode } from './flow-graph.ts';
import type { FlowInput } from './node-type.ts';
import { createState, step, GraphIndex, type FlowContext, type FlowState } from './step.ts';
import { nodeTypes } from './node-types.ts';
import { listPlaceholders } from './templates.ts';

/**
 * Messages that a flow sends before the visitor's first message, and the state from which the run continues.
 */
export interface Opening {
  text: string;
  input: FlowInput | null;
  state: FlowState;
  /** Whether the flow has ended after these opening messages. */
  hasFlowEnded: boolean;
}

const SEPARATOR = '\n\n';

/**
 * Limit of work, in characters, for rendering a flow's opening. The limit is low because anyone can request
 * the opening by loading a widget.
 */
const MAX_WORK = 50_000;

/**
 * Runs the first steps of a flow that send the same text to all visitors, up to the first question. Stops
 * before any other kind of step, and before a text that inserts a visitor's value without a fallback.
 */
export function buildOpening(graph: FlowGraph, { bot }: Pick<FlowContext, 'bot'>): Opening | null {
  const graphIndex = new GraphIndex(graph);
  const texts: string[] = [];
  let state = createState(graphIndex);
  const opening = (input: FlowInput | null, hasFlowEnded = false): Opening | null =>
    texts.length === 0 ? null : { text: texts.join(SEPARATOR), input, state, hasFlowEnded };
  while (state.turn.work <= MAX_WORK && isSameForAll(graphIndex.node(state.nodeId))) {
    const result = step(graphIndex, state, { kind: 'entered' }, { bot, directory: [] });
    texts.push(...result.texts);
    state = result.state;
    if (result.next.kind === 'wait') return opening(result.next.input);
    if (result.next.kind === 'completed') return opening(null, true);
    // Return no opening if a step fails, as in an endless loop. The failure is reported when a visitor runs
    // the flow.
    if (result.next.kind !== 'step') return null;
  }
  return opening(null);
}

/** Returns whether this step of a flow sends the same text to every new visitor. */
function isSameForAll({ type, data }: FlowNode): boolean {
  if (type === 'start') return true;
  if (type === 'jump') return data['node'] !== undefined;
  if (type !== 'message' && type !== 'question' && type !== 'end') return false;
  return nodeTypes[type]
    .templates(data as never)
    .filter(({ path: [key] }) => key !== 'retry_text')
    .flatMap(({ text }) => listPlaceholders(text))
    .every(({ path, fallback }) => path.startsWith('bot.') || fallback.trim() !== '');
}
