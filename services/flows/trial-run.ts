import { yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';
import type { BookedTime, Effect, FlowEvent, FlowInput } from '../../core/flows/node-type.ts';
import {
  createState,
  startTurn,
  step,
  GraphIndex,
  type FlowContext,
  type FlowError,
  type FlowState,
  type Step,
} from '../../core/flows/step.ts';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import type { EffectResult } from './trial-effects.ts';

/** The visitor's next input in a flow's test: a text, or an option to select. */
export type TrialInput = string | { option_id: string };
export type Outcome = 'completed' | 'waiting' | 'handed_over' | 'failed';

export interface TrialStep {
  node_id: string;
  type: string;
  port: string | null;
  input: string | null;
  output: string | null;
  note: string | null;
  changed: Record<string, unknown>;
}

export interface TrialMessage {
  role: 'user' | 'assistant';
  content: string;
  input?: FlowInput;
}

export interface TrialResult {
  outcome: Outcome;
  path: TrialStep[];
  messages: TrialMessage[];
  variables: Record<string, unknown>;
  waiting_for: FlowInput | null;
  error: FlowError | null;
  warnings: string[];
}

export interface TrialRunDeps {
  templateValues: FlowContext;
  /** The visitor's message that starts the flow. */
  message: string;
  inputs: readonly TrialInput[];
  maxSteps: number;
  /** Start and end of the bookings that the test simulates. */
  booking: BookedTime;
  perform(nodeId: string, effect: Effect, lastMessage: string): Promise<EffectResult>;
  /** Returns the graph of another flow of the bot; null if the bot has no such flow. */
  findFlow(flowId: string): Promise<FlowGraph | null>;
}

/** Maximum number of characters of messages, changed variables and notes in the result of a flow's test. */
const MAX_SHOWN_CHARS = 500_000;

/** Runs a flow from its start in a test, with scripted messages of a visitor. */
export class TrialRun {
  readonly #deps: TrialRunDeps;
  readonly #path: TrialStep[] = [];
  readonly #messages: TrialMessage[] = [];
  readonly #warnings = new Set<string>();
  readonly #pending: TrialInput[];
  #graphIndex: GraphIndex;
  #state: FlowState;
  /** Texts that the tested flow has written since the visitor's last input. */
  #texts: string[] = [];
  #shownLength = 0;

  constructor(graph: FlowGraph, variables: Record<string, unknown>, deps: TrialRunDeps) {
    this.#deps = deps;
    this.#pending = [...deps.inputs];
    this.#graphIndex = new GraphIndex(graph);
    this.#state = startTurn(createState(this.#graphIndex, variables), deps.message);
  }

  async run(): Promise<TrialResult> {
    let event: FlowEvent = { kind: 'entered' };
    let input: string | null = null;
    for (;;) {
      if (event.kind === 'entered' && this.#path.length >= this.#deps.maxSteps)
        return this.#toFailedResult('too_many_steps', `The trial exceeds ${this.#deps.maxSteps} steps.`);
      const result = step(this.#graphIndex, this.#state, event, this.#deps.templateValues);
      this.#state = result.state;
      if (result.isTaken) this.#record(result, event, input);
      if (this.#shownLength > MAX_SHOWN_CHARS)
        return this.#toFailedResult(
          'too_much_text',
          'The messages and variables of the flow are too long to return.',
        );
      const next = await this.#next(result);
      if ('outcome' in next) return next;
      ({ event, input } = next);
      await yieldToEventLoop();
    }
  }

  async #next({ node, next }: Step): Promise<TrialResult | { event: FlowEvent; input: string | null }> {
    switch (next.kind) {
      case 'step':
        return { event: { kind: 'entered' }, input: null };
      case 'wait':
        return this.#answerQuestion(next.input) ?? this.#toResult('waiting', { waiting_for: next.input });
      case 'perform':
        return { event: await this.#perform(node.id, next.effect), input: null };
      case 'change_flow':
        return this.#changeFlow(node.id, next.flowId);
      case 'failed':
        return this.#toResult('failed', { error: next.error });
      case 'handed_over':
        if (this.#texts.length === 0)
          this.#warnings.add(`Node "${node.id}" has no message; visitors see Parley’s default message.`);
        return this.#toResult(next.kind, {});
      case 'completed':
        return this.#toResult(next.kind, {});
    }
  }

  /** Answers a question of the tested flow with the next scripted input; returns null if no input is left. */
  #answerQuestion(question: FlowInput): { event: FlowEvent; input: string } | null {
    const nextInput = this.#pending.shift();
    if (nextInput === undefined) return null;
    this.#flushTexts(question);
    const optionId = typeof nextInput === 'string' ? undefined : nextInput.option_id;
    const option = question.options.find(({ id }) => id === optionId);
    const text = typeof nextInput === 'string' ? nextInput : (option?.label ?? nextInput.option_id);
    this.#messages.push({ role: 'user', content: text });
    this.#state = startTurn(this.#state, text);
    const event: FlowEvent =
      question.kind === 'booking' && optionId === 'booked'
        ? { kind: 'booked', booking: this.#deps.booking }
        : { kind: 'said', text, optionId };
    return { event, input: text };
  }

  async #perform(nodeId: string, effect: Effect): Promise<FlowEvent> {
    const { port, body, note, warning } = await this.#deps.perform(nodeId, effect, this.#state.lastMessage);
    if (warning !== undefined) this.#warnings.add(`Node "${nodeId}": ${warning}.`);
    const last = this.#path.at(-1)!;
    if (note !== undefined) last.note = note;
    this.#shownLength += note?.length ?? 0;
    return { kind: 'done', port, body };
  }

  async #changeFlow(
    nodeId: string,
    flowId: string,
  ): Promise<TrialResult | { event: FlowEvent; input: null }> {
    const graph = await this.#deps.findFlow(flowId);
    if (!graph)
      return this.#toFailedResult('unknown_flow', `Flow ${flowId} is not a flow of this bot.`, nodeId);
    this.#graphIndex = new GraphIndex(graph);
    this.#state = { ...this.#state, nodeId: this.#graphIndex.startId, memory: null };
    return { event: { kind: 'entered' }, input: null };
  }

  /**
   * Records a step of the tested flow in the result. The result of the step's effect is added to the same
   * entry.
   */
  #record({ node, texts, changed, port, note }: Step, event: FlowEvent, input: string | null): void {
    this.#texts.push(...texts);
    const output = texts.length === 0 ? null : texts.join('\n\n');
    this.#shownLength += (output?.length ?? 0) + JSON.stringify(changed).length;
    const last = this.#path.at(-1);
    if (event.kind !== 'done' || !last) {
      this.#path.push({ node_id: node.id, type: node.type, port, input, output, note, changed });
      return;
    }
    last.port = port;
    last.output = [last.output, output].filter((text) => text !== null).join('\n\n') || null;
    last.note = note ?? last.note;
    last.changed = { ...last.changed, ...changed };
  }

  /** Adds the flow's collected texts to the test's result as one message. */
  #flushTexts(input?: FlowInput): void {
    const content = this.#texts.join('\n\n');
    this.#texts = [];
    if (content !== '' || input) this.#messages.push({ role: 'assistant', content, ...(input && { input }) });
  }

  #toFailedResult(code: string, message: string, nodeId: string = this.#state.nodeId): TrialResult {
    return this.#toResult('failed', { error: { node_id: nodeId, code, message } });
  }

  #toResult(outcome: Outcome, { waiting_for = null, error = null }: Partial<TrialResult>): TrialResult {
    this.#flushTexts(waiting_for ?? undefined);
    const unused = this.#pending.length;
    if (unused > 0) this.#warnings.add(`The flow ended before it used ${unused} of the inputs.`);
    return {
      outcome,
      path: this.#path,
      messages: this.#messages,
      variables: this.#state.variables,
      waiting_for,
      error,
      warnings: [...this.#warnings],
    };
  }
}
