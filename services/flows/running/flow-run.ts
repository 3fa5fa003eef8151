import { pauseIfDue } from '../../../core/concurrency/loop-slices.ts';
import type { FlowEvent, FlowInput } from '../../../core/flows/node-type.ts';
import { step, type FlowContext, type FlowState } from '../../../core/flows/step.ts';
import type { FlowSessionStatus } from '../../../entities/flows/flow-session.entity.ts';
import type { TurnEffects, FlowEffects } from './flow-effects.ts';
import type { FlowGraphs, IndexedFlow } from './flow-graphs.ts';
import type { FlowMessageBuilder } from './flow-message-builder.ts';
import type { FlowTurn } from './flow-turn.ts';
import type { TurnDeadline } from './turn-deadline.ts';

/** Flow, state and event from which a run of a flow starts. */
export interface TurnStart {
  flow: IndexedFlow;
  state: FlowState;
  event: FlowEvent;
}

/** State of a flow at the end of a run. */
export interface TurnEnd {
  status: Exclude<FlowSessionStatus, 'closed'>;
  flow: IndexedFlow;
  state: FlowState;
  awaiting: FlowInput | null;
  failure: string | null;
}

export interface FlowRunDeps {
  graphs: FlowGraphs;
  effects: FlowEffects;
  templateValues: FlowContext;
  speech: FlowMessageBuilder;
  turnEffects: TurnEffects;
  /** Time limit of the flow's whole run. */
  deadline: TurnDeadline;
}

/** Runs a flow step by step, until it waits for the visitor or ends. Yields the text for the visitor. */
export class FlowRun {
  readonly #turn: FlowTurn;
  readonly #deps: FlowRunDeps;
  readonly #signal: AbortSignal;
  #flow: IndexedFlow;
  #state: FlowState;
  #event: FlowEvent;

  constructor(turn: FlowTurn, { flow, state, event }: TurnStart, deps: FlowRunDeps) {
    this.#turn = turn;
    this.#deps = deps;
    this.#flow = flow;
    this.#state = state;
    this.#event = event;
    this.#signal = AbortSignal.any([turn.signal, deps.deadline.signal]);
  }

  async *run(): AsyncGenerator<string, TurnEnd> {
    const { templateValues, speech, deadline } = this.#deps;
    for (;;) {
      await pauseIfDue();
      if (deadline.hasPassed) return this.#toFailedEnd(this.#state.nodeId, 'The turn took too long.');
      const result = step(this.#flow.graphIndex, this.#state, this.#event, templateValues);
      this.#state = result.state;
      yield* speech.addTexts(result.texts);
      const { next, node } = result;
      switch (next.kind) {
        case 'step':
          this.#event = { kind: 'entered' };
          break;
        case 'perform': {
          const performed = yield* this.#perform(node.id, next.effect);
          if (!performed) return this.#toFailedEnd(node.id, 'The turn took too long.');
          this.#event = performed;
          break;
        }
        case 'change_flow':
          if (!(await this.#changeFlow(next.flowId)))
            return this.#toFailedEnd(node.id, 'The next flow was deleted.');
          break;
        case 'wait':
          return this.#toTurnEnd('waiting', next.input);
        case 'failed':
          return this.#toFailedEnd(next.error.node_id, next.error.message);
        case 'handed_over':
        case 'completed':
          return this.#toTurnEnd(next.kind);
      }
    }
  }

  /**
   * Performs an effect of the flow, such as a search. Returns null if the time limit is reached.
   * @throws the abort reason of the answer's signal
   */
  async *#perform(
    nodeId: string,
    effect: Parameters<FlowEffects['perform']>[0]['effect'],
  ): AsyncGenerator<string, FlowEvent | null> {
    const { effects, speech, turnEffects, deadline } = this.#deps;
    const turn = this.#turn;
    const { flowId, graphIndex } = this.#flow;
    const visit = this.#state.steps;
    const node = graphIndex.node(nodeId);
    try {
      const signal = this.#signal;
      const effectRun = { turn, flowId, node, effect, visit, speech, turnEffects, signal };
      const event = yield* effects.perform(effectRun);
      turn.signal.throwIfAborted();
      return deadline.hasPassed ? null : event;
    } catch (error) {
      turn.signal.throwIfAborted();
      if (deadline.hasPassed) return null;
      throw error;
    }
  }

  async #changeFlow(flowId: string): Promise<boolean> {
    const { scope, bot } = this.#turn;
    const flow = await this.#deps.graphs.findCurrent(scope, bot.id, flowId);
    if (!flow) return false;
    this.#flow = flow;
    this.#state = { ...this.#state, nodeId: flow.graphIndex.startId, memory: null };
    this.#event = { kind: 'entered' };
    return true;
  }

  #toFailedEnd(nodeId: string, message: string): TurnEnd {
    return { ...this.#toTurnEnd('failed'), failure: `Node "${nodeId}": ${message}` };
  }

  #toTurnEnd(status: TurnEnd['status'], awaiting: FlowInput | null = null): TurnEnd {
    return { status, flow: this.#flow, state: this.#state, awaiting, failure: null };
  }
}
