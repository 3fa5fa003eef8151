import type { FlowGraph, FlowNode } from './flow-graph.ts';
import type { FlowInput } from './node-type.ts';
import { newState, step, Walk, type FlowAbout, type FlowState } from './step.ts';
import { nodeTypes } from './node-types.ts';
import { placeholdersIn } from './templates.ts';

/** What a flow says before the visitor does, and where it goes on. */
export interface Opening {
  text: string;
  input: FlowInput | null;
  state: FlowState;
  /** Nothing comes after it. */
  isWhole: boolean;
}

const SEPARATOR = '\n\n';

/** What its steps may cost: anyone who loads a widget has them taken, without a session. A count, so that every process stops at the same step. */
const MAX_WORK = 50_000;

/**
 * How a flow begins as far as that is the same for everybody: messages, up to the first question. It ends before anything else, and before
 * a text that names a value which may be known, or not, of a visitor and has no fallback for who is a stranger.
 */
export function openingOf(graph: FlowGraph, { bot }: Pick<FlowAbout, 'bot'>): Opening | null {
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
    // One that leads in a circle says so when it runs.
    if (done.next.kind !== 'step') return null;
  }
  return opening(null);
}

/** Whether a step says the same to all who are strangers. */
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
