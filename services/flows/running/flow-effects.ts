import { runToEnd } from '../../../core/concurrency/run-to-end.ts';
import { ModelError } from '../../../core/answers/chat-model.ts';
import { parsePrices, computeAnswerPrice } from '../../../adapters/llm/models-and-prices.ts';
import type { ModelFactory } from '../../../adapters/llm/model-factory.ts';
import type { Clock } from '../../../core/clock.ts';
import { OUT, type FlowNode } from '../../../core/flows/flow-graph.ts';
import type { Effect, FlowEvent } from '../../../core/flows/node-type.ts';
import type { PriceTable, Settings } from '../../../core/settings/settings.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { toStorableText } from '../../../core/text/storable-text.ts';
import type { Answerer } from '../../conversations/answering/answerer.ts';
import { acceptsHandoffs } from '../../conversations/handoff-hours.ts';
import type { FlowCalendar } from '../flow-calendar.ts';
import { askModel } from '../model-text.ts';
import { FlowRequests, type FlowRequestsDeps } from './flow-requests.ts';
import type { FlowMessageBuilder } from './flow-message-builder.ts';
import type { FlowTurn } from './flow-turn.ts';

export interface FlowEffectsDeps extends FlowRequestsDeps {
  answerer: Answerer;
  models: ModelFactory;
  calendar: FlowCalendar;
  clock: Clock;
  settings: Pick<Settings, 'modelPrices'>;
}

/** Changes that a flow makes besides the text of its answer. They are applied when the answer is stored. */
export interface TurnEffects {
  contact: Record<string, string>;
  handOver: string | null;
  problem: string | null;
  /** True if the last document search found nothing, or the model failed. */
  isUnanswered: boolean;
}

/** An effect that a flow's step performs, with the message that is being answered. */
export interface EffectRun {
  turn: FlowTurn;
  flowId: string;
  node: FlowNode;
  effect: Effect;
  /**
   * Number of the flow's steps before this step. The number distinguishes repeated visits of the same node.
   */
  visit: number;
  speech: FlowMessageBuilder;
  turnEffects: TurnEffects;
  signal: AbortSignal;
}

type EffectOf<K extends Effect['kind']> = EffectRun & { effect: Extract<Effect, { kind: K }> };

const MAX_REASON = 1000;

/**
 * Performs the effects of flow steps, such as searches and requests. Changes to Parley's own data are only
 * collected, and are committed with the answer.
 */
export class FlowEffects {
  readonly #deps: FlowEffectsDeps;
  readonly #requests: FlowRequests;
  readonly #prices: PriceTable;

  constructor(deps: FlowEffectsDeps) {
    this.#deps = deps;
    this.#requests = new FlowRequests(deps);
    this.#prices = parsePrices(deps.settings.modelPrices);
  }

  /**
   * Performs the effect of a flow's step, yields the text that it writes, and returns the event for the next
   * step.
   */
  async *perform(run: EffectRun): AsyncGenerator<string, FlowEvent> {
    const { effect, turnEffects, turn } = run;
    switch (effect.kind) {
      case 'answer':
        return yield* this.#performAnswer({ ...run, effect });
      case 'ask_model':
        return yield* this.#askModel({ ...run, effect });
      case 'request':
        return this.#request({ ...run, effect });
      case 'keep_contact':
        Object.assign(turnEffects.contact, effect.fields);
        return { kind: 'done', port: OUT };
      case 'book':
        return {
          kind: 'done',
          port: (await this.#deps.calendar.hasFreeSlots(turn.scope)) ? 'offered' : 'unavailable',
        };
      case 'hand_over':
        if (!acceptsHandoffs(turn.bot, this.#deps.clock.now())) return { kind: 'done', port: 'unavailable' };
        turnEffects.handOver = cutText(effect.reason, MAX_REASON);
        return { kind: 'done', port: OUT };
    }
  }

  async *#performAnswer(run: EffectOf<'answer'>): AsyncGenerator<string, FlowEvent> {
    const spokenAnswer = yield* run.speech.stream(this.#answerFromDocuments(run));
    return spokenAnswer
      ? { kind: 'done', port: OUT, body: spokenAnswer.text }
      : { kind: 'done', port: 'not_found' };
  }

  /**
   * Answers the visitor from the bot's documents. Withholds the last piece of text until the answer is
   * complete, since the answer may be the fallback text.
   */
  async *#answerFromDocuments({
    turn,
    effect: { query, tags },
    speech,
    turnEffects,
    signal,
  }: EffectOf<'answer'>): AsyncGenerator<string, { text: string } | null> {
    const { scope, bot, acceptLanguage } = turn;
    const before = turn.messages.at(-1)?.role === 'user' ? turn.messages.slice(0, -1) : turn.messages;
    const messages = [...before, { role: 'user' as const, content: query }];
    const answerInput = { messages, acceptLanguage, tags, returnsEmptyIfNothingFound: true };
    const writing = this.#deps.answerer.answer(scope, bot, answerInput, signal);
    let pending: string | undefined;
    let piece = await writing.next();
    for (; !piece.done; piece = await writing.next()) {
      if (pending !== undefined) yield pending;
      pending = piece.value;
    }
    const answer = piece.value;
    turnEffects.problem = answer.failure?.message ?? turnEffects.problem;
    const isGood = !answer.isUnanswered;
    turnEffects.isUnanswered = !isGood && (answer.failure !== null || answer.searchedFor !== null);
    if (isGood && pending !== undefined) yield pending;
    const text = speech.addUsage(answer);
    return isGood ? { text } : null;
  }

  async *#askModel(run: EffectOf<'ask_model'>): AsyncGenerator<string, FlowEvent> {
    const { node, speech, turnEffects } = run;
    const writing = this.#streamFromModel(run);
    try {
      if (node.data['save_as'] === undefined) {
        const writtenAnswer = yield* speech.stream(writing);
        return writtenAnswer
          ? { kind: 'done', port: OUT, body: writtenAnswer.text }
          : { kind: 'done', port: 'error' };
      }
      const modelAnswer = await runToEnd(writing);
      return modelAnswer
        ? { kind: 'done', port: OUT, body: toStorableText(modelAnswer.text) }
        : { kind: 'done', port: 'error' };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      turnEffects.problem = error.message;
      return { kind: 'done', port: 'error' };
    }
  }

  async *#streamFromModel({
    turn: { bot, messages },
    effect: { instructions },
    speech,
    signal,
  }: EffectOf<'ask_model'>): AsyncGenerator<string, { text: string } | null> {
    const generatedAnswer = yield* askModel(this.#deps, bot, { instructions, messages }, signal);
    if (!generatedAnswer) return null;
    const { text, model, inputTokens, outputTokens } = generatedAnswer;
    const costUsd = computeAnswerPrice(model, inputTokens ?? 0, outputTokens ?? 0, this.#prices);
    speech.addUsage({
      content: text,
      citations: [],
      model,
      inputTokens,
      outputTokens,
      costUsd,
      ttftMs: null,
    });
    return { text };
  }

  async #request({
    turn,
    flowId,
    node,
    effect,
    visit,
    signal,
    turnEffects,
  }: EffectOf<'request'>): Promise<FlowEvent> {
    const idempotencyKey = `${turn.replyToId ?? turn.answerId}:${node.id}:${visit}`;
    const { request } = effect;
    const { port, body, problem } = await this.#requests.send({ flowId, request, idempotencyKey, signal });
    if (problem !== null) turnEffects.problem = `Node "${node.id}": ${problem}`;
    return { kind: 'done', port, body };
  }
}
