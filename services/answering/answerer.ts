import { CitationFilter, citationsOf } from '../../adapters/llm/citations.ts';
import { ModelError, type ChatMessage, type Passage } from '../../adapters/llm/chat-model.ts';
import { parsePrices, priceOf } from '../../adapters/llm/model-catalogue.ts';
import type { ModelFactory } from '../../adapters/llm/model-factory.ts';
import { buildSystemPrompt, trimHistory } from '../../adapters/llm/prompt.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Citation } from '../../core/citation.ts';
import { Gate } from '../../core/gate.ts';
import type { Logger } from '../../core/logger.ts';
import type { PriceTable, Settings } from '../../core/settings.ts';
import type { Bot } from '../../entities/bot.entity.ts';
import type { OrgScope } from '../../repositories/org-scope.ts';
import type { FinishedAnswer } from '../../repositories/turn-writer.ts';
import type { SearchHit, SearchService } from '../knowledge/search.service.ts';
import { modelConfigOf, thinkingOf } from './bot-model.ts';

const PASSAGES_FOR_MODEL = 6;
const HISTORY_TOKENS = 6000;
const DEFAULT_FALLBACK =
  'I could not find an answer to that. Please ask in other words, or contact us directly.';
/** What a visitor reads instead of an answer: nothing about the model or its settings. */
const FAILURE_FOR_VISITORS = 'I cannot answer at the moment. Please try again in a little while.';

export interface Answer extends Omit<FinishedAnswer, 'messageId' | 'errorCode'> {
  /** Why the model failed, and what the team is told about it. */
  failure: { code: string; message: string } | null;
}

/** The answer to a question that nobody managed to answer for too long. */
export function givenUp(): Answer {
  const message = 'An answer could not be made in time, and was given up.';
  return {
    ...unasked,
    content: FAILURE_FOR_VISITORS,
    latencyMs: 0,
    failure: { code: 'answer_given_up', message },
  };
}

/** A question that the model is to be asked. */
interface Question {
  bot: Bot;
  messages: ChatMessage[];
  passages: Passage[];
  signal: AbortSignal;
  /** On `performance.now()`'s clock. */
  startedAt: number;
}

export interface AnswererDeps {
  settings: Settings;
  keyring: Keyring;
  models: ModelFactory;
  search: SearchService;
  log: Logger;
}

/** Finds what the documents say and has the bot's model put it into words. */
export class Answerer {
  readonly #deps: AnswererDeps;
  readonly #prices: PriceTable;
  /** Searches leave most connections to new turns. */
  readonly #searching: Gate;

  constructor(deps: AnswererDeps) {
    this.#deps = deps;
    this.#searching = new Gate(Math.ceil(deps.settings.databasePool / 4));
    this.#prices = parsePrices(deps.settings.modelPrices);
  }

  /**
   * Yields the answer's text piece by piece and returns the whole. A failing model is an answer too: one that
   * apologises, with the failure noted.
   * @param messages the conversation so far, ending with the question
   */
  async *answer(
    scope: OrgScope,
    bot: Bot,
    messages: ChatMessage[],
    signal: AbortSignal,
  ): AsyncGenerator<string, Answer> {
    const startedAt = performance.now();
    const question = messages.at(-1)?.content ?? '';
    const hits = await this.#search(scope, bot, question);
    const passages = hits.map(toPassage);
    if (passages.length === 0 && bot.strictKbMode) {
      const content = bot.fallbackMessage ?? DEFAULT_FALLBACK;
      yield content;
      return { ...unasked, content, latencyMs: since(startedAt) };
    }
    return yield* this.#ask({ bot, messages, passages, signal, startedAt });
  }

  /** Bots without documents are not searched. */
  async #search(scope: OrgScope, bot: Bot, query: string): Promise<SearchHit[]> {
    if (bot.indexedChunkCount === 0) return [];
    return this.#searching.run(() =>
      this.#deps.search.search(scope, bot.id, { query, limit: PASSAGES_FOR_MODEL }),
    );
  }

  async *#ask(question: Question): AsyncGenerator<string, Answer> {
    const { bot, passages, startedAt } = question;
    const answer: Answer = { ...unasked, content: '', latencyMs: 0 };
    try {
      for await (const text of this.#stream(question, answer)) {
        answer.content += text;
        yield text;
      }
    } catch (error) {
      answer.failure = this.#failureOf(error, question);
      const apology = answer.content ? `\n\n${FAILURE_FOR_VISITORS}` : FAILURE_FOR_VISITORS;
      answer.content += apology;
      yield apology;
    }
    const isFallback = answer.content === (bot.fallbackMessage ?? DEFAULT_FALLBACK);
    const mustCite = bot.strictKbMode && answer.failure === null && !isFallback;
    answer.citations = citationsIn(answer.content, passages, mustCite);
    answer.latencyMs = since(startedAt);
    return answer;
  }

  /** What the model writes, without citations of passages that do not exist; its figures are noted in `answer`. */
  async *#stream(question: Question, answer: Answer): AsyncGenerator<string> {
    const { bot, passages, signal, startedAt } = question;
    const filter = new CitationFilter(passages.length);
    const model = this.#deps.models.modelFor(modelConfigOf(bot, this.#deps.keyring));
    answer.model = model.name;
    for await (const chunk of model.stream(requestOf(question), signal)) {
      if (chunk.type === 'usage') {
        answer.inputTokens = chunk.inputTokens;
        answer.outputTokens = chunk.outputTokens;
        answer.costUsd = priceOf(model.name, chunk.inputTokens, chunk.outputTokens, this.#prices);
      } else {
        answer.ttftMs ??= since(startedAt);
        const text = filter.push(chunk.text);
        if (text) yield text;
      }
    }
    const rest = filter.end();
    if (rest) yield rest;
  }

  #failureOf(error: unknown, { bot, signal }: Question): NonNullable<Answer['failure']> {
    if (!signal.aborted) this.#deps.log.warn({ err: error, botId: bot.id }, 'a model failed to answer');
    return error instanceof ModelError
      ? { code: error.code, message: error.message }
      : { code: 'internal_error', message: 'The answer failed for an unexpected reason.' };
  }
}

const unasked = {
  citations: [],
  model: null,
  inputTokens: null,
  outputTokens: null,
  costUsd: null,
  ttftMs: null,
  failure: null,
};

function requestOf({ bot, messages, passages }: Question) {
  return {
    system: buildSystemPrompt({
      systemPrompt: bot.systemPrompt,
      language: bot.language,
      strict: bot.strictKbMode,
      fallbackMessage: bot.fallbackMessage,
      passages,
    }),
    messages: trimHistory(messages, HISTORY_TOKENS),
    temperature: bot.temperature,
    maxTokens: bot.maxTokens,
    ...thinkingOf(bot),
    passages,
    fallback: bot.fallbackMessage ?? DEFAULT_FALLBACK,
  };
}

/** What the text cites; in strict mode an answer that names no source is given the passage it was made from. */
function citationsIn(content: string, passages: Passage[], mustCite: boolean): Citation[] {
  const cited = citationsOf(content, passages);
  return cited.length > 0 || !mustCite ? cited : citationsOf(`${content}[1]`, passages);
}

function toPassage(hit: SearchHit): Passage {
  const { documentId, chunkId, title, sourceUrl, text, score, headings } = hit;
  return { documentId, chunkId, title, sourceUrl, text, score, headings };
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
