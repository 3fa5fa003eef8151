import { CitationFilter, citationsOf, withoutMarkers } from '../../../core/answers/citations.ts';
import {
  ModelError,
  type ChatMessage,
  type ChatModel,
  type Passage,
} from '../../../core/answers/chat-model.ts';
import { parsePrices, priceOf } from '../../../adapters/llm/model-catalogue.ts';
import type { ModelFactory } from '../../../adapters/llm/model-factory.ts';
import { buildSystemPrompt, trimHistory } from '../../../core/answers/prompt.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { answerTexts, type AnswerTexts } from '../../../core/conversations/answer-texts.ts';
import { Gate } from '../../../core/concurrency/gate.ts';
import type { Logger } from '../../../core/logger.ts';
import type { PriceTable, Settings } from '../../../core/settings/settings.ts';
import { isVisible } from '../../../core/text/visible-text.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { FinishedAnswer } from '../../../repositories/conversations/turn.repository.ts';
import type { SearchHit, SearchService } from '../../knowledge/search/search-service.ts';
import { modelConfigOf, thinkingOf } from './bot-model.ts';
import { refersBack } from './follow-up.ts';
import { passagesOf } from './passages-for-model.ts';
import { questionSearched } from './question-searched.ts';
import { languageFor } from './visitor-language.ts';

const PASSAGES_FOR_MODEL = 6;
const HISTORY_TOKENS = 6000;
/** Of what a model may put into the fallback besides its words. */
const MARKER_CHARS = 40;

export interface Answer extends Omit<
  FinishedAnswer,
  'messageId' | 'conversationId' | 'errorCode' | 'input' | 'key'
> {
  /** Why the model failed, and what the team is told about it. */
  failure: { code: string; message: string } | null;
  /** What the documents were searched for; null where there are none. */
  searchedFor: string | null;
}

/** What of the conversation is read to answer. */
export interface Asked {
  /** The conversation so far, ending with the question. */
  messages: ChatMessage[];
  /** What the visitor's browser says of its languages, where that is known. */
  acceptLanguage?: string | null;
  /** What was found for the question, where that was looked for before. */
  hits?: SearchHit[] | undefined;
  /** Only documents with one of these tags are looked at. */
  tags?: string[];
  /** Without a word where the documents say nothing. */
  isOfDocuments?: boolean;
}

/** The answer to a question that nobody managed to answer for too long. */
export async function givenUp(bot: Bot, messages: ChatMessage[]): Promise<Answer> {
  const message = 'An answer could not be made in time, and was given up.';
  return {
    ...unasked,
    content: (await textsFor(bot, { messages })).failure,
    latencyMs: 0,
    failure: { code: 'answer_given_up', message },
    isUnanswered: true,
  };
}

/** What the documents say, and what they were asked. */
interface Findings {
  searchedFor: string | null;
  hits: SearchHit[];
  usage: { inputTokens: number; outputTokens: number } | null;
}

/** A question that the model is to be asked. */
interface Question {
  bot: Bot;
  findings: Findings;
  messages: ChatMessage[];
  passages: Passage[];
  texts: AnswerTexts;
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
   */
  async *answer(
    scope: OrgScope,
    bot: Bot,
    asked: Asked,
    signal: AbortSignal,
  ): AsyncGenerator<string, Answer> {
    const startedAt = performance.now();
    const { messages } = asked;
    const texts = await textsFor(bot, asked);
    const findings = await this.#findings(scope, bot, asked, signal);
    const passages = passagesOf(findings.hits);
    if (passages.length === 0 && (bot.strictKbMode || asked.isOfDocuments)) {
      const content = asked.isOfDocuments ? '' : texts.fallback;
      if (content !== '') yield content;
      const { searchedFor } = findings;
      const answer = { ...unasked, content, latencyMs: since(startedAt), searchedFor, isUnanswered: true };
      if (findings.usage) this.#count(answer, this.#modelOf(bot).name, findings.usage);
      return answer;
    }
    return yield* this.#ask({ bot, findings, messages, passages, texts, signal, startedAt });
  }

  /**
   * What the documents say about a message that says by itself what it is about; undefined where it may not. Bots without documents
   * are not searched.
   */
  async searchAhead(scope: OrgScope, bot: Bot, message: string): Promise<SearchHit[] | undefined> {
    return refersBack(message) ? undefined : this.#search(scope, bot, message);
  }

  async #findings(scope: OrgScope, bot: Bot, asked: Asked, signal: AbortSignal): Promise<Findings> {
    if (bot.indexedChunkCount === 0) return { searchedFor: null, hits: [], usage: null };
    const message = asked.messages.at(-1)?.content ?? '';
    if (asked.hits) return { searchedFor: message, hits: asked.hits, usage: null };
    const { question, usage } = await questionSearched(
      asked.messages,
      () => this.#modelOf(bot),
      this.#deps.settings,
      signal,
    );
    return { searchedFor: question, hits: await this.#search(scope, bot, question, asked.tags), usage };
  }

  async #search(scope: OrgScope, bot: Bot, query: string, tags: string[] = []): Promise<SearchHit[]> {
    if (bot.indexedChunkCount === 0) return [];
    const asked = { query, tags, limit: PASSAGES_FOR_MODEL, isStrict: bot.strictKbMode };
    return this.#searching.run(() => this.#deps.search.passages(scope, bot.id, asked));
  }

  /** @throws ModelError where the bot lacks what its provider needs */
  #modelOf(bot: Bot): ChatModel {
    return this.#deps.models.modelFor(modelConfigOf(bot, this.#deps.keyring));
  }

  /** Adds what the model has read and written. */
  #count(answer: Answer, model: string, { inputTokens, outputTokens }: NonNullable<Findings['usage']>): void {
    answer.inputTokens = (answer.inputTokens ?? 0) + inputTokens;
    answer.outputTokens = (answer.outputTokens ?? 0) + outputTokens;
    answer.costUsd = priceOf(model, answer.inputTokens, answer.outputTokens, this.#prices);
  }

  async *#ask(question: Question): AsyncGenerator<string, Answer> {
    const { bot, findings, passages, texts, startedAt } = question;
    const { searchedFor } = findings;
    const answer: Answer = { ...unasked, content: '', latencyMs: 0, searchedFor };
    try {
      for await (const text of this.#admissible(question, answer)) {
        answer.content += text;
        yield text;
      }
    } catch (error) {
      answer.failure = this.#failureOf(error, question);
      const apology = answer.content ? `\n\n${texts.failure}` : texts.failure;
      answer.content += apology;
      yield apology;
    }
    answer.citations = citationsOf(answer.content, passages);
    // What only seemed to be a source, within code, has been shown by now: the stream takes it back and begins anew.
    if (bot.strictKbMode && answer.failure === null && answer.citations.length === 0)
      answer.content = texts.fallback;
    answer.isUnanswered =
      answer.failure !== null ||
      (searchedFor !== null && passages.length === 0) ||
      isFallback(texts.fallback, answer.content);
    answer.latencyMs = since(startedAt);
    return answer;
  }

  /**
   * What the model writes; of a strict bot only once it names a source, and until then nothing that might have to be taken
   * back. An answer without any, and one that only says that there is none, become the fallback.
   */
  async *#admissible(question: Question, answer: Answer): AsyncGenerator<string> {
    const { bot, passages, texts } = question;
    const filter = new CitationFilter(passages.length);
    let held = '';
    let isFounded = !bot.strictKbMode;
    for await (const text of this.#stream(question, answer, filter)) {
      if (isFounded) yield text;
      else {
        held += text;
        isFounded = filter.cites && !mayBecome(texts.fallback, held);
        if (isFounded) yield held;
      }
    }
    if (!isFounded) yield texts.fallback;
  }

  /** What the model writes, without citations of passages that do not exist; its figures are noted in `answer`. */
  async *#stream(question: Question, answer: Answer, filter: CitationFilter): AsyncGenerator<string> {
    const { bot, findings, signal, startedAt } = question;
    const model = this.#modelOf(bot);
    answer.model = model.name;
    if (findings.usage) this.#count(answer, model.name, findings.usage);
    for await (const chunk of model.stream(requestOf(question), signal)) {
      if (chunk.type === 'usage') this.#count(answer, model.name, chunk);
      else {
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
  searchedFor: null,
  isUnanswered: false,
};

function requestOf({ bot, messages, passages, texts: { fallback } }: Question) {
  return {
    system: buildSystemPrompt({
      systemPrompt: bot.systemPrompt,
      language: bot.language,
      strict: bot.strictKbMode,
      fallback,
      passages,
    }),
    messages: trimHistory(messages, HISTORY_TOKENS),
    temperature: bot.temperature,
    maxTokens: bot.maxTokens,
    ...thinkingOf(bot),
    passages,
    fallback,
    isStrict: bot.strictKbMode,
  };
}

/** What the bot says by itself: its owner's words, or those for the visitor's language. */
export async function textsFor(bot: Bot, { messages, acceptLanguage = null }: Asked): Promise<AnswerTexts> {
  const texts = answerTexts(await languageFor(bot, messages, acceptLanguage));
  const own = bot.fallbackMessage ?? '';
  return isVisible(own) ? { ...texts, fallback: own } : texts;
}

/** Whether a text that goes on may turn out to be the fallback, with or without numbers of sources. */
function mayBecome(fallback: string, text: string): boolean {
  if (text.length > 2 * fallback.length + MARKER_CHARS) return false;
  return withoutMarkers(fallback).startsWith(withoutMarkers(text));
}

function isFallback(fallback: string, text: string): boolean {
  return withoutMarkers(fallback) === withoutMarkers(text);
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
