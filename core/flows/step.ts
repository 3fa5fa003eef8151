import { cutText } from '../text/cut-text.ts';
import { OUT, runBounds, type FlowGraph, type FlowNode } from './flow-graph.ts';
import type { FlowValues } from './flow-values.ts';
import { nodeTypes } from './node-types.ts';
import { StepWork, WorkLimitExceeded } from './step-work.ts';
import { renderValueJson, renderValueText } from './value-text.ts';
import type {
  DirectoryPlace,
  Effect,
  FlowEvent,
  FlowInput,
  Memory,
  StepTransition,
  StepResult,
} from './node-type.ts';

/** State of a flow's run, stored as JSON between the visitor's messages. */
export interface FlowState {
  nodeId: string;
  variables: Record<string, unknown>;
  lastMessage: string;
  /** Stored data of the step that waits for a reply; null for a step that has not run yet. */
  memory: Memory | null;
  /** Response of the run's last HTTP request, for `http` paths in templates. */
  http: unknown;
  /** Number of steps since the flow's run began. */
  steps: number;
  /** Resources that the steps of the flow's current turn have used. */
  turn: TurnCount;
  jumpsToFlows: number;
}

/** Resources that the steps of a flow have used in one turn. */
interface TurnCount {
  steps: number;
  requests: number;
  /** Characters that the turn's steps have read, written and compared. */
  work: number;
  /** Characters of the texts that the turn has sent to the visitor. */
  said: number;
}

/** Values that a flow's templates and rules can read, and the bot's directory. */
export interface FlowContext extends Pick<
  FlowValues,
  'visitor' | 'contact' | 'conversation' | 'bot' | 'now'
> {
  directory: readonly DirectoryPlace[];
}

export interface FlowError {
  node_id: string;
  code: string;
  message: string;
}

/** How the run of a flow continues after a step. */
type Continuation =
  | { kind: 'step' }
  | { kind: 'wait'; input: FlowInput }
  | { kind: 'perform'; effect: Effect }
  | { kind: 'change_flow'; flowId: string }
  | { kind: 'handed_over' }
  | { kind: 'completed' }
  | { kind: 'failed'; error: FlowError };

export interface Step {
  node: FlowNode;
  state: FlowState;
  /** False if a limit of the run stopped this step before it had any effect. */
  isTaken: boolean;
  texts: string[];
  /** Variables of the flow that the step changed; null for a removed variable. */
  changed: Record<string, unknown>;
  /** Port through which the flow's run left the step. */
  port: string | null;
  note: string | null;
  next: Continuation;
}

/** Finds the steps of a valid flow graph, and the steps to which their ports lead. */
export class GraphIndex {
  readonly startId: string;
  readonly #nodes: ReadonlyMap<string, FlowNode>;
  readonly #targets: ReadonlyMap<string, string>;

  /** @param graph graph of a flow without validation errors */
  constructor({ nodes, edges }: FlowGraph) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#targets = new Map(edges.map(({ source, port = OUT, target }) => [`${source} ${port}`, target]));
    this.startId = nodes.find(({ type }) => type === 'start')!.id;
  }

  has(nodeId: string): boolean {
    return this.#nodes.has(nodeId);
  }

  node(nodeId: string): FlowNode {
    return this.#nodes.get(nodeId)!;
  }

  /**
   * Returns the step to which a port of a step leads. An option without its own edge uses the question's main
   * edge.
   */
  target(source: string, port: string): string | undefined {
    const ownTarget = this.#targets.get(`${source} ${port}`);
    return ownTarget ?? (port.startsWith('option:') ? this.#targets.get(`${source} ${OUT}`) : undefined);
  }
}

export function createState({ startId }: GraphIndex, variables: Record<string, unknown> = {}): FlowState {
  return {
    nodeId: startId,
    variables,
    lastMessage: '',
    memory: null,
    http: null,
    steps: 0,
    turn: createTurnCount(),
    jumpsToFlows: 0,
  };
}

/** Returns the state of a flow's run at the start of the turn that begins with the visitor's message. */
export function startTurn(state: FlowState, message: string): FlowState {
  return { ...state, lastMessage: message, turn: createTurnCount() };
}

function createTurnCount(): TurnCount {
  return { steps: 0, requests: 0, work: 0, said: 0 };
}

/** Runs one step of a flow. Returns effects such as HTTP requests for the caller to perform. */
export function step(graphIndex: GraphIndex, before: FlowState, event: FlowEvent, about: FlowContext): Step {
  const node = graphIndex.node(before.nodeId);
  const toFailedStep = (state: FlowState, code: string, message: string, isTaken = true): Step => ({
    node,
    state,
    isTaken,
    texts: [],
    changed: {},
    port: null,
    note: null,
    next: { kind: 'failed', error: { node_id: node.id, code, message } },
  });
  const isEntered = event.kind === 'entered';
  const exhausted = isEntered ? findStepLimitExcess(before) : null;
  if (exhausted) return toFailedStep(before, ...exhausted, false);
  const state = isEntered ? countStep(before) : before;
  const { directory, ...known } = about;
  const values = { ...known, vars: state.variables, http: state.http, last_message: state.lastMessage };
  const memory = isEntered ? null : state.memory;
  const { workOfStep, workOfTurn } = runBounds;
  const work = new StepWork(Math.min(workOfStep, workOfTurn - state.turn.work));
  const outcome = runWithinWork(() =>
    nodeTypes[node.type].step(node.data as never, { event, values, memory, directory, work }),
  );
  if (!outcome)
    return toFailedStep(
      state,
      'too_much_work',
      `The step processes more than ${workOfStep} characters, or the turn processes more than ${workOfTurn}.`,
    );
  const variables = outcome.changes ? applyChanges(state.variables, outcome.changes) : state.variables;
  const tooMuch = outcome.changes ? findVariableExcess(variables) : null;
  if (tooMuch) return toFailedStep(state, ...tooMuch);
  const { http = state.http } = outcome;
  const texts = listShownTexts(outcome);
  const turn = {
    ...state.turn,
    work: state.turn.work + work.spent,
    said: state.turn.said + texts.reduce((sum, { length }) => sum + length, 0),
  };
  if (turn.said > runBounds.saidInTurn)
    return toFailedStep(
      state,
      'too_much_text',
      `The messages of the turn exceed ${runBounds.saidInTurn} characters.`,
    );
  return moveOn(graphIndex, node, { ...state, variables, http, turn }, { ...outcome, texts });
}

/** Runs a function for a flow's step; returns null if it exceeds the step's work limit. */
function runWithinWork<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof WorkLimitExceeded) return null;
    throw error;
  }
}

function countStep(state: FlowState): FlowState {
  const { steps, turn } = state;
  return { ...state, steps: steps + 1, turn: { ...turn, steps: turn.steps + 1 } };
}

/**
 * Returns the error code and message if the flow's run has reached one of its limits on steps; null otherwise.
 */
function findStepLimitExcess({ steps, turn }: FlowState): [string, string] | null {
  if (turn.steps >= runBounds.stepsOfTurn)
    return ['too_many_steps', `More than ${runBounds.stepsOfTurn} steps ran without input from the visitor.`];
  if (steps >= runBounds.stepsOfSession)
    return ['too_many_steps', `The run exceeds ${runBounds.stepsOfSession} steps.`];
  return null;
}

/**
 * Applies a step's changes to the variables of a flow. Defines each variable as an own property, so that a
 * name like `__proto__` is safe.
 */
function applyChanges(
  variables: Record<string, unknown>,
  changes: Record<string, unknown>,
): Record<string, unknown> {
  const entries = new Map(Object.entries(variables));
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === null) entries.delete(name);
    else entries.set(name, value);
  return Object.fromEntries(entries);
}

/** Returns the error code and message if the variables of a flow exceed their limits; null otherwise. */
export function findVariableExcess(variables: Record<string, unknown>): [string, string] | null {
  const { variables: max, variableLength } = runBounds;
  const entries = Object.entries(variables);
  if (entries.length > max) return ['too_many_variables', `There are more than ${max} variables.`];
  const long = entries.find(([, value]) => !isWithin(renderForLength(value), variableLength));
  return long ? ['variable_too_long', `${long[0]} has more than ${variableLength} characters.`] : null;
}

/** Renders a value just far enough to detect that it exceeds the length limit of a flow's variable. */
function renderForLength(value: unknown): string {
  const max = 2 * runBounds.variableLength + 1;
  return typeof value === 'object' && value !== null
    ? renderValueJson(value, max)
    : renderValueText(value, max);
}

function listShownTexts({ texts = [] }: StepResult): string[] {
  return texts.filter((text) => text.trim() !== '').map((text) => cutText(text, runBounds.insertedLength));
}

function moveOn(graphIndex: GraphIndex, node: FlowNode, state: FlowState, outcome: StepResult): Step {
  const { move, texts = [], changes = {}, note = null } = outcome;
  const common = {
    node,
    isTaken: true,
    texts,
    changed: Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? null])),
    port: move.kind === 'leave' ? move.port : null,
    note,
  };
  return { ...common, ...applyTransition(graphIndex, node, state, move) };
}

function applyTransition(
  graphIndex: GraphIndex,
  node: FlowNode,
  state: FlowState,
  move: StepTransition,
): Pick<Step, 'state' | 'next'> {
  const toFailedMove = (code: string, message: string): Pick<Step, 'state' | 'next'> => ({
    state,
    next: { kind: 'failed', error: { node_id: node.id, code, message } },
  });
  const goTo = (nodeId: string): Pick<Step, 'state' | 'next'> => ({
    state: { ...state, nodeId, memory: null },
    next: { kind: 'step' },
  });
  switch (move.kind) {
    case 'leave': {
      const target = graphIndex.target(node.id, move.port);
      return target === undefined ? { state, next: { kind: 'completed' } } : goTo(target);
    }
    case 'jump':
      return graphIndex.has(move.node)
        ? goTo(move.node)
        : toFailedMove('unknown_target', `There is no step "${move.node}".`);
    case 'change_flow':
      return state.jumpsToFlows >= runBounds.jumpsToFlows
        ? toFailedMove('too_many_jumps', `More than ${runBounds.jumpsToFlows} jumps led to other flows.`)
        : { state: { ...state, jumpsToFlows: state.jumpsToFlows + 1 }, next: move };
    case 'ask':
      return {
        state: { ...state, memory: move.memory },
        next: { kind: 'wait', input: { node_id: node.id, ...move.input } },
      };
    case 'perform':
      return startEffect(state, move, toFailedMove);
    case 'handed_over':
      return { state, next: { kind: 'handed_over' } };
    case 'end':
      return { state, next: { kind: 'completed' } };
  }
}

function startEffect(
  state: FlowState,
  { effect, memory }: Extract<StepTransition, { kind: 'perform' }>,
  toFailedMove: (code: string, message: string) => Pick<Step, 'state' | 'next'>,
): Pick<Step, 'state' | 'next'> {
  const requestCount = state.turn.requests + (effect.kind === 'request' ? 1 : 0);
  if (requestCount > runBounds.requestsOfTurn)
    return toFailedMove('too_many_requests', `The turn made more than ${runBounds.requestsOfTurn} requests.`);
  return {
    state: { ...state, memory: memory ?? null, turn: { ...state.turn, requests: requestCount } },
    next: { kind: 'perform', effect },
  };
}

/** Returns whether a text has at most this many code points, the unit of JSON Schema's `maxLength`. */
function isWithin(text: string, max: number): boolean {
  if (text.length <= max) return true;
  return text.length <= 2 * max && [...text].length <= max;
}
