import { CitationFilter, listCitations } from '../../../core/answers/citations.ts';
import {
  ModelError,
  type ChatMessage,
  type ChatModel,
  type ForeignQuotes,
  type Passage,
} from '../../../core/answers/chat-model.ts';
import { parsePrices, computeAnswerPrice } from '../../../adapters/llm/models-and-prices.ts';
import type { ModelFactory } from '../../../adapters/llm/model-factory.ts';
import { buildSystemPrompt, trimHistory } from '../../../core/answers/prompt.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { EXTRACTIVE_MODEL } from '../../../core/answers/extractive-model.ts';
import { StageLaps, type ObserveStage } from '../../../core/answers/stages.ts';
import { SupportFilter } from '../../../core/answers/supported-text.ts';
import type { AnswerTexts } from '../../../core/conversations/answer-texts.ts';
import type { Logger } from '../../../core/logger.ts';
import type { PriceTable, Settings } from '../../../core/settings/settings.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { FinishedAnswer } from '../../../repositories/conversations/turn.repository.ts';
import type { SearchHit, SearchService } from '../../knowledge/search/search-service.ts';
import type { HandoffRequest } from '../handoff-service.ts';
import { toModelConfig, toThinkingOptions } from './bot-model-config.ts';
import { chooseBotTexts, isFallback, mayBecomeFallback } from './bot-texts.ts';
import { refersBack } from '../../../core/answers/follow-up.ts';
import { isStopped } from './answer-cancellation.ts';
import { createForeignQuotes } from './foreign-quotes.ts';
import { judgePassages } from './passage-judge.ts';
import { toPassages } from './passages-for-model.ts';
import { chooseSearchQuery, type SearchQuery } from './search-query.ts';
import { addUsage, type ReplyUsage } from './short-reply.ts';

const PASSAGES_FOR_MODEL = 6;
/**
 * Maximum number of passages from documents that a model judges for one question. Chosen by the benchmark
 * `bench retrieval`.
 */
const PASSAGES_FOR_JUDGE = 8;
const HISTORY_TOKENS = 6000;

export interface Answer extends Omit<
  FinishedAnswer,
  'messageId' | 'conversationId' | 'errorCode' | 'input' | 'key'
> {
  /**
   * Failure of the model: an error code, and the message that the team sees. Null if the model did not fail.
   */
  failure: { code: string; message: string } | null;
  /**
   * Query with which the bot's documents were searched; null if the bot has no documents, or did not need
   * them.
   */
  searchedFor: string | null;
  /** Handoff to the team that is requested when the answer is stored; null if none is requested. */
  handoff: HandoffRequest | null;
}

/** Input from which an answer is generated. */
export interface AnswerInput {
  /** Messages of the conversation, ending with the visitor's question. */
  messages: ChatMessage[];
  /** The `Accept-Language` header of the visitor's request, if known. */
  acceptLanguage?: string | null;
  /** Hits of the document search, loaded in advance. If missing, the documents are searched. */
  hits?: SearchHit[] | undefined;
  /** Limits the search to documents that have one of these tags. */
  tags?: string[];
  /** True to return an empty answer if the document search finds nothing. */
  returnsEmptyIfNothingFound?: boolean;
  /**
   * Reply to the visitor's small talk. It replaces the fallback text if no passages are found, and the answer
   * never counts as unanswered. A model that may answer without documents writes its own reply.
   */
  smallTalkReply?: string | undefined;
  /** Function that receives a report of each stage of answering, for measurements. */
  observe?: ObserveStage | undefined;
}

/** Creates the apology that replaces an answer after too many failures to generate it. */
export async function createApologyAnswer(bot: Bot, messages: ChatMessage[]): Promise<Answer> {
  const message = 'The answer could not be generated in time.';
  return {
    ...EMPTY_ANSWER,
    content: (await chooseBotTexts(bot, { messages })).failure,
    latencyMs: 0,
    failure: { code: 'answer_given_up', message },
    isUnanswered: true,
  };
}

/** Result of searching the bot's documents. */
interface DocumentFindings {
  searchedFor: string | null;
  passages: Passage[];
  /** Token counts of the model that rewrote the visitor's question and judged the passages. */
  usage: ReplyUsage | null;
}

/** A visitor's question, with everything that the model's prompt needs. */
interface ModelQuestion {
  bot: Bot;
  findings: DocumentFindings;
  messages: ChatMessage[];
  texts: AnswerTexts;
  signal: AbortSignal;
  /** Time at which the answer was started, as returned by `performance.now()`. */
  startedAt: number;
  observe: ObserveStage | undefined;
  /** The model's text before Parley verifies it, kept for `observe` only. */
  draft: { text: string };
  foreignQuotes: ForeignQuotes | undefined;
}

export interface AnswererDeps {
  settings: Settings;
  keyring: Keyring;
  models: ModelFactory;
  search: SearchService;
  log: Logger;
}

/**
 * Answers visitors' questions: searches the bot's documents and lets the bot's model write from the hits. A
 * message passes the stages that `core/answers/stages.ts` explains.
 */
export class Answerer {
  readonly #deps: AnswererDeps;
  readonly #prices: PriceTable;

  constructor(deps: AnswererDeps) {
    this.#deps = deps;
    this.#prices = parsePrices(deps.settings.modelPrices);
  }

  /**
   * Yields the answer's text in pieces and returns the whole answer. If the model fails, the text ends with
   * an apology and `failure` is set. If the visitor stops the answer, returns the text so far.
   */
  async *answer(
    scope: OrgScope,
    bot: Bot,
    input: AnswerInput,
    signal: AbortSignal,
  ): AsyncGenerator<string, Answer> {
    const startedAt = performance.now();
    const { messages } = input;
    const texts = await chooseBotTexts(bot, input);
    const query = await this.#understand(bot, input, signal);
    const hits = input.hits ?? (await this.#retrieve(scope, bot, query.question, input));
    const findings = await this.#judge(scope, bot, input, { ...query, passages: toPassages(hits) }, signal);
    const { passages } = findings;
    const { smallTalkReply, returnsEmptyIfNothingFound = false } = input;
    if (passages.length === 0 && (returnsEmptyIfNothingFound || this.#needsPassages(bot, smallTalkReply))) {
      const content = returnsEmptyIfNothingFound ? '' : (smallTalkReply ?? texts.fallback);
      if (content !== '') yield content;
      const { searchedFor } = findings;
      const answer = {
        ...EMPTY_ANSWER,
        content,
        latencyMs: elapsedMsSince(startedAt),
        searchedFor,
        isUnanswered: smallTalkReply === undefined,
      };
      if (findings.usage) this.#addUsage(answer, this.#createModel(bot).name, findings.usage);
      return answer;
    }
    const question = {
      bot,
      findings,
      messages,
      texts,
      signal,
      startedAt,
      observe: input.observe,
      draft: { text: '' },
      foreignQuotes: this.#createForeignQuotes(scope, bot, input),
    };
    const answer = yield* this.#answerAndVerify(question);
    if (smallTalkReply !== undefined && passages.length === 0) answer.isUnanswered = answer.failure !== null;
    return answer;
  }

  /** Returns true if the bot cannot reply without passages from its documents. */
  #needsPassages(bot: Bot, smallTalkReply: string | undefined): boolean {
    if (bot.strictKbMode) return true;
    return smallTalkReply !== undefined && this.#onlyQuotes(bot);
  }

  /** Returns true if the bot's model only quotes passages instead of writing its own text. */
  #onlyQuotes(bot: Bot): boolean {
    try {
      return this.#createModel(bot).name === EXTRACTIVE_MODEL;
    } catch (error) {
      // The model of a bot with incomplete configuration reports the error itself.
      if (error instanceof ModelError) return false;
      throw error;
    }
  }

  #createForeignQuotes(scope: OrgScope, bot: Bot, { messages, acceptLanguage }: AnswerInput) {
    if (!this.#onlyQuotes(bot)) return undefined;
    return createForeignQuotes(this.#deps.search, { scope, bot, messages, acceptLanguage });
  }

  /**
   * Returns true if passages must support the text of the bot's model. The model then also judges which
   * passages answer the question.
   */
  #requiresSupport(bot: Bot): boolean {
    return bot.strictKbMode && !this.#onlyQuotes(bot);
  }

  /**
   * Searches the bot's documents for a new message, before the conversation is read.
   * @returns undefined if the message may refer to earlier messages, so that the message alone is not a
   * sufficient search query
   */
  async prefetchHits(scope: OrgScope, bot: Bot, message: string): Promise<SearchHit[] | undefined> {
    return refersBack(message) ? undefined : this.#retrieve(scope, bot, message);
  }

  /**
   * Turns the visitor's last message into a search query: completes a follow-up question with earlier
   * messages.
   */
  async #understand(bot: Bot, input: AnswerInput, signal: AbortSignal): Promise<SearchQuery> {
    if (input.hits || bot.indexedChunkCount === 0)
      return { question: input.messages.at(-1)?.content ?? '', usage: null };
    const laps = new StageLaps(input.observe);
    const createModel = () => this.#createModel(bot);
    const query = await chooseSearchQuery(input.messages, createModel, this.#deps.settings, signal);
    laps.end('understand');
    return query;
  }

  /**
   * Retrieves passages from the bot's documents, fuses and reranks them. Judges them by the higher threshold
   * for a strict bot, and keeps all candidates if the bot's model judges them.
   */
  async #retrieve(
    scope: OrgScope,
    bot: Bot,
    query: string,
    { tags = [], observe }: Pick<AnswerInput, 'tags' | 'observe'> = {},
    isJudged = this.#requiresSupport(bot),
  ): Promise<SearchHit[]> {
    if (bot.indexedChunkCount === 0) return [];
    const isStrict = bot.strictKbMode && !isJudged;
    const limit = isJudged ? PASSAGES_FOR_JUDGE : PASSAGES_FOR_MODEL;
    const searchOptions = { query, tags, limit, isStrict, isJudged, observe };
    return this.#deps.search.findPassages(scope, bot.id, searchOptions);
  }

  /**
   * Judges which passages answer the question, if the bot must not guess and its model can judge. If the
   * model fails, the search's score and the higher threshold decide.
   */
  async #judge(
    scope: OrgScope,
    bot: Bot,
    { tags = [], observe }: AnswerInput,
    { question, usage, passages }: SearchQuery & { passages: Passage[] },
    signal: AbortSignal,
  ): Promise<DocumentFindings> {
    const searchedFor = bot.indexedChunkCount === 0 ? null : question;
    if (passages.length === 0 || !this.#requiresSupport(bot)) return { searchedFor, passages, usage };
    const laps = new StageLaps(observe);
    const createModel = () => this.#createModel(bot);
    const judgment = await judgePassages(question, passages, createModel, this.#deps.settings, signal);
    const judged =
      judgment?.passages.slice(0, PASSAGES_FOR_MODEL) ??
      toPassages(await this.#retrieve(scope, bot, question, { tags }, false));
    laps.end('judge', judged);
    return { searchedFor, passages: judged, usage: addUsage(usage, judgment?.usage ?? null) };
  }

  /**
   * Creates the client for the bot's model.
   * @throws ModelError if the bot lacks a setting that its provider requires
   */
  #createModel(bot: Bot): ChatModel {
    return this.#deps.models.createModel(toModelConfig(bot, this.#deps.keyring));
  }

  /** Adds the token counts of the bot's model and their cost to the answer. */
  #addUsage(answer: Answer, model: string, { inputTokens, outputTokens }: ReplyUsage): void {
    answer.inputTokens = (answer.inputTokens ?? 0) + inputTokens;
    answer.outputTokens = (answer.outputTokens ?? 0) + outputTokens;
    answer.costUsd = computeAnswerPrice(model, answer.inputTokens, answer.outputTokens, this.#prices);
  }

  /**
   * Lets the bot's model write the answer, and verifies it while it streams: without sources it becomes the
   * fallback text, and sentences that no passage supports are omitted.
   */
  async *#answerAndVerify(question: ModelQuestion): AsyncGenerator<string, Answer> {
    const { bot, findings, texts, signal, startedAt, observe, draft } = question;
    const { searchedFor, passages } = findings;
    const answer: Answer = { ...EMPTY_ANSWER, content: '', latencyMs: 0, searchedFor };
    const laps = new StageLaps(observe);
    try {
      signal.throwIfAborted();
      for await (const text of this.#streamAdmissible(question, answer)) {
        answer.content += text;
        yield text;
      }
    } catch (error) {
      if (isStopped(signal)) return this.#toStoppedAnswer(question, answer);
      answer.failure = this.#describeFailure(error, question);
      const apology = answer.content ? `\n\n${texts.failure}` : texts.failure;
      answer.content += apology;
      yield apology;
    }
    if (observe) laps.end('answer', listCitedPassages(draft.text, passages));
    answer.citations = await listCitations(answer.content, passages);
    if (observe) laps.end('verify', listCitedPassages(answer.content, passages));
    // The answer's only citation marker was inside code, where it does not count, but the text was streamed
    // already. Readers discard the text and get the fallback text.
    if (bot.strictKbMode && answer.failure === null && answer.citations.length === 0)
      answer.content = texts.fallback;
    answer.isUnanswered =
      answer.failure !== null ||
      (searchedFor !== null && passages.length === 0) ||
      isFallback(texts.fallback, answer.content);
    answer.latencyMs = elapsedMsSince(startedAt);
    return answer;
  }

  /** Completes an answer that the visitor has stopped. Such an answer never counts as unanswered. */
  async #toStoppedAnswer({ findings, startedAt }: ModelQuestion, answer: Answer): Promise<Answer> {
    const citations = await listCitations(answer.content, findings.passages);
    return { ...answer, citations, latencyMs: elapsedMsSince(startedAt) };
  }

  /**
   * Streams the text of the bot's model. In strict mode, withholds it until it cites a source and cannot turn
   * into the fallback text. If it cites no source, the fallback text replaces it.
   */
  async *#streamAdmissible(question: ModelQuestion, answer: Answer): AsyncGenerator<string> {
    const { bot, findings, texts } = question;
    const { passages } = findings;
    const filter = new CitationFilter(passages.length, passages);
    let buffer = '';
    let isGrounded = !bot.strictKbMode;
    for await (const text of this.#streamSupported(question, answer, filter)) {
      if (isGrounded) yield text;
      else {
        buffer += text;
        isGrounded = filter.cites && !mayBecomeFallback(texts.fallback, buffer);
        if (isGrounded) yield buffer;
      }
    }
    if (!isGrounded) yield texts.fallback;
  }

  /**
   * Streams the text of the bot's model. In strict mode, omits text that no citation supports, but keeps all
   * quotes.
   */
  async *#streamSupported(
    question: ModelQuestion,
    answer: Answer,
    filter: CitationFilter,
  ): AsyncGenerator<string> {
    const { bot, findings, messages } = question;
    const texts = this.#streamModel(question, answer, filter);
    if (!this.#requiresSupport(bot)) return yield* texts;
    const support = new SupportFilter(
      findings.passages,
      messages.map(({ content }) => content),
    );
    for await (const text of texts) {
      const supported = support.push(text);
      if (supported) yield supported;
    }
    const rest = support.end();
    if (rest) yield rest;
  }

  /**
   * Streams the text of the bot's model without citations of unknown passages. Stores model, usage and time
   * to first token in `answer`.
   */
  async *#streamModel(
    question: ModelQuestion,
    answer: Answer,
    filter: CitationFilter,
  ): AsyncGenerator<string> {
    const { bot, findings, signal, startedAt, observe, draft } = question;
    const model = this.#createModel(bot);
    answer.model = model.name;
    if (model.name === EXTRACTIVE_MODEL) filter.ignoreNotes();
    if (findings.usage) this.#addUsage(answer, model.name, findings.usage);
    try {
      for await (const chunk of model.stream(buildAnswerRequest(question), signal)) {
        if (chunk.type === 'usage') this.#addUsage(answer, model.name, chunk);
        else {
          answer.ttftMs ??= elapsedMsSince(startedAt);
          const text = filter.push(chunk.text);
          if (observe) draft.text += text;
          if (text) yield text;
        }
      }
    } catch (error) {
      const rest = filter.end();
      if (rest) yield rest;
      throw error;
    }
    const rest = filter.end();
    if (observe) draft.text += rest;
    if (rest) yield rest;
  }

  #describeFailure(error: unknown, { bot, signal }: ModelQuestion): NonNullable<Answer['failure']> {
    if (!signal.aborted)
      this.#deps.log.warn({ err: error, botId: bot.id }, 'model failed to generate an answer');
    return error instanceof ModelError
      ? { code: error.code, message: error.message }
      : { code: 'internal_error', message: 'The answer failed for an unexpected reason.' };
  }
}

/** Initial values of an answer's fields. They stay if no model is called. */
export const EMPTY_ANSWER = {
  citations: [],
  model: null,
  inputTokens: null,
  outputTokens: null,
  costUsd: null,
  ttftMs: null,
  failure: null,
  searchedFor: null,
  isUnanswered: false,
  handoff: null,
};

function buildAnswerRequest({
  bot,
  messages,
  findings: { passages },
  texts: { fallback },
  foreignQuotes,
}: ModelQuestion) {
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
    ...toThinkingOptions(bot),
    passages,
    fallback,
    isStrict: bot.strictKbMode,
    foreignQuotes,
  };
}

/** Returns the passages that an answer's text cites, in the order of their first citations. */
function listCitedPassages(text: string, passages: readonly Passage[]): Passage[] {
  const numbers = text.match(/(?<=\[)\d+(?=\])/g) ?? [];
  return [...new Set(numbers)].flatMap((number) => passages[Number(number) - 1] ?? []);
}

function elapsedMsSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
