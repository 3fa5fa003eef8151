import { runToEnd } from '../../../core/concurrency/run-to-end.ts';
import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import { ModelError } from '../../../core/answers/chat-model.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { ModelFactory } from '../../../adapters/llm/model-factory.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import type { TokenUsage } from '../../usage/token-usage.ts';
import type { SearchHit } from '../../knowledge/search/search-service.ts';
import type { Answer, AnswerInput } from './answerer.ts';
import type { RemarkAnswerer } from './remark-answerer.ts';
import { readShortReply, type ShortPrompt } from './short-reply.ts';
import { toModelConfig, toThinkingOptions } from './bot-model-config.ts';

export interface ProviderTest {
  ok: boolean;
  model: string | null;
  latencyMs: number | null;
  error: string | null;
}

export interface PlaygroundServiceDeps {
  bots: ScopedRepository<Bot>;
  remarkAnswerer: RemarkAnswerer;
  models: ModelFactory;
  keyring: Keyring;
  tokens: TokenUsage;
}

/** Answers questions to a bot in the console's playground, without storing a conversation. */
export class PlaygroundService {
  readonly #deps: PlaygroundServiceDeps;

  constructor(deps: PlaygroundServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Yields the answer's text in pieces and returns the whole answer.
   * @param signal aborts when the caller disconnects
   */
  answer(
    scope: OrgScope,
    bot: Bot,
    messages: ChatMessage[],
    signal: AbortSignal,
  ): AsyncGenerator<string, Answer> {
    return this.#answerOnce(scope, bot, { messages }, signal);
  }

  /** Returns the whole answer to a question, based on the given search hits. */
  async answerFrom(
    scope: OrgScope,
    bot: Bot,
    { question, hits }: { question: string; hits: SearchHit[] },
    signal: AbortSignal,
  ): Promise<Answer> {
    const messages = [{ role: 'user' as const, content: question }];
    return runToEnd(this.#answerOnce(scope, bot, { messages, hits }, signal));
  }

  /**
   * Lets the bot's model reply to a prompt, without storing a conversation.
   * @returns null if the bot has no model that writes, or the model fails or takes too long
   */
  async reply(
    scope: OrgScope,
    bot: Bot,
    prompt: ShortPrompt,
    signal: AbortSignal,
  ): Promise<{ text: string; model: string } | null> {
    let name = '';
    const createModel = () => {
      const model = this.#deps.models.createModel(toModelConfig(bot, this.#deps.keyring));
      name = model.name;
      return model;
    };
    const reply = await readShortReply(createModel, prompt, signal);
    if (reply === null) return null;
    if (reply.usage) await this.#deps.tokens.add(scope, { botId: bot.id }, { model: name, ...reply.usage });
    return { text: reply.text, model: name };
  }

  /** Tests the settings of the bot's model provider with one minimal request. */
  async testProvider(scope: OrgScope, botId: string, signal: AbortSignal): Promise<ProviderTest> {
    const bot = await this.#deps.bots.get(scope, botId);
    const startedAt = performance.now();
    try {
      const model = this.#deps.models.createModel(toModelConfig(bot, this.#deps.keyring));
      const request = {
        system: 'Reply with the word OK.',
        messages: [{ role: 'user' as const, content: 'Reply with the word OK.' }],
        temperature: 0,
        maxTokens: 64,
        ...toThinkingOptions(bot),
        passages: [],
      };
      for await (const chunk of model.stream(request, signal)) if (chunk.type === 'text') break;
      return {
        ok: true,
        model: model.name,
        latencyMs: Math.round(performance.now() - startedAt),
        error: null,
      };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return { ok: false, model: bot.model, latencyMs: null, error: error.message };
    }
  }

  async *#answerOnce(
    scope: OrgScope,
    bot: Bot,
    input: AnswerInput,
    signal: AbortSignal,
  ): AsyncGenerator<string, Answer> {
    const answer = yield* this.#deps.remarkAnswerer.answer(scope, bot, input, signal);
    await this.#deps.tokens.add(scope, { botId: bot.id }, answer);
    return answer;
  }

  /** Stores the error of a provider test as the bot's `last_error`; clears it if the test succeeded. */
  async recordTest(scope: OrgScope, botId: string, { error }: ProviderTest): Promise<void> {
    await this.#deps.bots.update(scope, botId, { lastError: error });
  }
}
