import { runToEnd } from '../../core/concurrency/run-to-end.ts';
import { ModelError } from '../../core/answers/chat-model.ts';
import type { ModelFactory } from '../../adapters/llm/model-factory.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import type { Effect } from '../../core/flows/node-type.ts';
import { cutText } from '../../core/text/cut-text.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { PlaygroundService } from '../conversations/answering/playground-service.ts';
import type { TokenUsage } from '../usage/token-usage.ts';
import { acceptsHandoffs } from '../conversations/handoff-hours.ts';
import type { FlowCalendar } from './flow-calendar.ts';
import { askModel } from './model-text.ts';
import type { SearchService } from '../knowledge/search/search-service.ts';

const MAX_PASSAGES = 6;
const MAX_QUOTE_CHARS = 1000;
/** Maximum number of document searches in one test of a flow. */
const MAX_SEARCHES = 20;
const MAX_MODEL_CALLS = 10;

/** Result of an effect, such as a search or request, in a flow's test. */
export interface EffectResult {
  port: string;
  body?: unknown;
  note?: string;
  warning?: string;
}

export interface TrialEffectsDeps {
  search: SearchService;
  playground: PlaygroundService;
  tokens: TokenUsage;
  models: ModelFactory;
  keyring: Keyring;
  calendar: FlowCalendar;
  clock: Clock;
}

/**
 * Performs the effects of a flow in a test. Searches documents, and calls models if the caller requests this;
 * simulates all other effects.
 */
export class TrialEffects {
  readonly #deps: TrialEffectsDeps;
  readonly #scope: OrgScope;
  readonly #bot: Bot;
  readonly #asksModels: boolean;
  readonly #signal: AbortSignal;
  #searches = 0;
  #modelCalls = 0;

  constructor(
    deps: TrialEffectsDeps,
    {
      scope,
      bot,
      asksModels,
      signal,
    }: { scope: OrgScope; bot: Bot; asksModels: boolean; signal: AbortSignal },
  ) {
    this.#deps = deps;
    this.#scope = scope;
    this.#bot = bot;
    this.#asksModels = asksModels;
    this.#signal = signal;
  }

  /**
   * Performs or simulates an effect of the tested flow.
   * @param lastMessage the visitor's last message
   */
  async perform(effect: Effect, lastMessage: string): Promise<EffectResult> {
    switch (effect.kind) {
      case 'answer':
        return this.#performAnswer(effect);
      case 'ask_model':
        return this.#askModel(effect.instructions, lastMessage);
      case 'request': {
        const { method, url } = effect.request;
        return {
          port: 'out',
          note: `${method} ${url}`,
          warning: 'no request was sent; add a sample to set the response',
        };
      }
      case 'keep_contact':
        return {
          port: 'out',
          note: `Would be stored with the contact: ${Object.keys(effect.fields).join(', ')}`,
        };
      case 'book':
        return this.#book();
      case 'hand_over':
        return this.#handOver();
    }
  }

  async #performAnswer({ query, tags }: Extract<Effect, { kind: 'answer' }>): Promise<EffectResult> {
    this.#searches += 1;
    if (this.#searches > MAX_SEARCHES)
      return { port: 'not_found', warning: `no search was made; a test runs at most ${MAX_SEARCHES}` };
    const { search, playground } = this.#deps;
    const searchOptions = { query, tags, limit: MAX_PASSAGES, isStrict: this.#bot.strictKbMode };
    const found = await search.findPassages(this.#scope, this.#bot.id, searchOptions);
    const [best] = found;
    if (!best) return { port: 'not_found', note: `Nothing was found for: ${cutText(query, 200)}` };
    const note = `${found.length} passages were found, the best in “${best.title}”`;
    if (!this.#mayAskModel())
      return { port: 'out', body: cutText(best.text, MAX_QUOTE_CHARS), note, ...QUOTE_WARNING };
    const question = { question: query, hits: found };
    const answer = await playground.answerFrom(this.#scope, this.#bot, question, this.#signal);
    return {
      port: 'out',
      body: answer.content,
      note,
      ...(answer.failure && { warning: answer.failure.message }),
    };
  }

  async #askModel(instructions: string, lastMessage: string): Promise<EffectResult> {
    if (!this.#mayAskModel())
      return { port: 'out', body: '', warning: 'no model was called; add a sample to set its text' };
    try {
      const modelInput = { instructions, messages: [{ role: 'user' as const, content: lastMessage }] };
      const writing = askModel(this.#deps, this.#bot, modelInput, this.#signal);
      const writtenAnswer = await runToEnd(writing);
      if (writtenAnswer) await this.#deps.tokens.add(this.#scope, { botId: this.#bot.id }, writtenAnswer);
      return writtenAnswer
        ? { port: 'out', body: writtenAnswer.text }
        : { port: 'error', note: 'The bot has no generative model.' };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return { port: 'error', note: error.message };
    }
  }

  #mayAskModel(): boolean {
    if (!this.#asksModels) return false;
    this.#modelCalls += 1;
    return this.#modelCalls <= MAX_MODEL_CALLS;
  }

  async #book(): Promise<EffectResult> {
    const { calendar } = this.#deps;
    if (!(await calendar.isConnected(this.#scope)))
      return { port: 'unavailable', warning: 'no calendar is connected; add a sample to set the result' };
    return (await calendar.hasFreeSlots(this.#scope))
      ? { port: 'offered', note: 'Nothing is booked; `booked` contains a sample time tomorrow.' }
      : { port: 'unavailable', note: 'The calendar has no free time.' };
  }

  #handOver(): EffectResult {
    if (!this.#bot.handoffEnabled) return { port: 'unavailable', note: 'Handoff is switched off.' };
    return acceptsHandoffs(this.#bot, this.#deps.clock.now())
      ? { port: 'out', note: 'A handoff would be requested.' }
      : { port: 'unavailable', note: 'No agent is available at this hour.' };
  }
}

const QUOTE_WARNING = { warning: 'the best passage is quoted; with use_model, the bot’s model answers' };
