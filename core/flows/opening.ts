import type { FlowGraph, FlowNode } from './flow-graph.ts';
import type { FlowInput } from './node-type.ts';
import { newState, step, Walk, type FlowAbout, type FlowState } from './step.ts';
import { nodeTypes } from './node-types.ts';
import { placeholdersIn } from './templates.ts';

/** Messages of a flow before the visitor's first one, and the state from which to continue. */
export interface Opening {
  text: string;
  input: FlowInput | null;
  state: FlowState;
  /** The flow ends after it. */
  isWhole: boolean;
}

const SEPARATOR = '\n\n';

/**
 * Work budget: loading a widget runs these steps without a session. A count, so that every process stops at the
 * same step.
 */
const MAX_WORK = 50_000;

/**
 * Runs the start of a flow that is the same for all visitors: messages, up to the first question. It stops at any
 * other step. It also stops at a text with a visitor's value that has no fallback.
 */
export function buildOpening(graph: FlowGraph, { bot }: Pick<FlowAbout, 'bot'>): Opening | null {
  const walk = new Walk(graph);
  const texts: string[] = [];
  let state = newState(walk);
  const opening = (input: FlowInput | null, isWhole = false): Opening | null =>
    texts.length === 0 ? null : { text: texts.join(SEPARATOR), input, state, isWhole };
  while (state.turn.work <= MAX_WORK && isForAll(walk.node(state.nodeId))) {
    const done = step(walk, state, { kind: 'entered' }, { bot, directory: [] });
    texts.push(...done.texts);
    state = done.state;
    if (done.next.kind === 'wait') return opening(done.next.input);
    if (done.next.kind === 'completed') return opening(null, true);
    // A loop is reported when the flow runs.
    if (done.next.kind !== 'step') return null;
  }
  return opening(null);
}

/** Returns whether a step sends the same text to all new visitors. */
function isForAll({ type, data }: FlowNode): boolean {
  if (type === 'start') return true;
  if (type === 'jump') return data['node'] !== undefined;
  if (type !== 'message' && type !== 'question' && type !== 'end') return false;
  return nodeTypes[type]
    .templates(data as never)
    .filter(({ path: [key] }) => key !== 'retry_text')
    .flatMap(({ text }) => placeholdersIn(text))
    .every(({ path, fallback }) => path.startsWith('bot.') || fallback.trim() !== '');
}
