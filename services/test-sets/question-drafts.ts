import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { AnswerRatingRepository } from '../../repositories/conversations/answer-rating.repository.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import type { PassageSampleRepository } from '../../repositories/knowledge/passage-sample.repository.ts';
import type { QuestionService } from '../analytics/question-service.ts';
import type { PlaygroundService } from '../conversations/answering/playground-service.ts';
import {
  buildQuestionPrompt,
  choosePositions,
  listHeadingQuestions,
  readDraftedQuestions,
  toDraft,
  type DraftedQuestion,
} from './question-sample.ts';
import { MAX_QUESTION_LENGTH } from './read-questions.ts';

export const draftSources = ['documents', 'ratings', 'unanswered'] as const;
export type DraftSource = (typeof draftSources)[number];

/** Drafted questions for a test set, and the reason why there are few or none. */
export interface QuestionDrafts {
  questions: DraftedQuestion[];
  /** Name of the model that drafted the questions; null if no model did. */
  model: string | null;
  /** Reason why few or no questions were drafted; null if no explanation is needed. */
  note: string | null;
}

/** Maximum time in milliseconds for the model's reply with drafted questions. */
const MODEL_TIMEOUT_MS = 45_000;
const MAX_TOKENS = 4000;
/** Maximum number of documents in whose passages Parley searches for headings that are questions. */
const MAX_DOCUMENTS = 100;
/** Maximum number of passages in which Parley searches for headings that are questions. */
const MAX_SEARCHED = 300;
const UNANSWERED_LIMIT = 50;

export interface QuestionDraftsDeps {
  bots: BotRepository;
  ratings: AnswerRatingRepository;
  messages: MessageRepository;
  samples: PassageSampleRepository;
  questions: QuestionService;
  playground: PlaygroundService;
}

/** Drafts questions for test sets of bots. Stores none of them. */
export class QuestionDraftService {
  readonly #deps: QuestionDraftsDeps;

  constructor(deps: QuestionDraftsDeps) {
    this.#deps = deps;
  }

  /**
   * Drafts questions.
   * @param signal aborts when the caller disconnects
   * @throws AppError `forbidden` or `not_found` for the bot; `key_unavailable`
   */
  async draft(
    scope: OrgScope,
    botId: string,
    { from, limit }: { from: DraftSource; limit: number },
    signal: AbortSignal,
  ): Promise<QuestionDrafts> {
    const bot = await this.#deps.bots.get(scope, botId);
    if (from === 'ratings') return this.#draftFromRatings(scope, bot, limit);
    if (from === 'unanswered') return this.#draftFromUnanswered(scope, bot, limit);
    return this.#draftFromDocuments(scope, bot, limit, signal);
  }

  /**
   * Drafts test questions from visitors' questions whose answers were rated with a thumb up, with the first
   * document that was cited.
   */
  async #draftFromRatings(scope: OrgScope, { id: botId }: Bot, limit: number): Promise<QuestionDrafts> {
    const { ratings, messages } = this.#deps;
    const ids = await ratings.listNewestIds(scope, { botId, thumb: 'up', limit });
    const [questions, answers] = await Promise.all([
      messages.mapQuestions(scope, ids),
      messages.listByIds(scope, ids),
    ]);
    const drafts = new Map<string, DraftedQuestion>();
    for (const { id, citations } of answers) {
      const question = questions.get(id)?.trim();
      if (question === undefined || question.length > MAX_QUESTION_LENGTH || drafts.has(question)) continue;
      drafts.set(question, toDraft(question, citations?.[0]?.title ?? null, []));
    }
    const note =
      drafts.size === 0 ? 'No visitor has rated an answer of this bot with a thumbs up yet.' : null;
    return { questions: [...drafts.values()], model: null, note };
  }

  async #draftFromUnanswered(scope: OrgScope, { id }: Bot, limit: number): Promise<QuestionDrafts> {
    const top = await this.#deps.questions.listTop(scope, { bot_id: id, limit: UNANSWERED_LIMIT });
    const drafts = top
      .filter(({ unanswered, content }) => unanswered > 0 && content.length <= MAX_QUESTION_LENGTH)
      .slice(0, limit)
      .map(({ content }) => toDraft(content.trim(), null, []));
    const note = drafts.length === 0 ? 'The bot left no question unanswered in the last 30 days.' : null;
    return { questions: drafts, model: null, note };
  }

  /**
   * Drafts test questions from documents: lets the bot's model ask about passages. Without a model, takes
   * titles and headings that are questions.
   */
  async #draftFromDocuments(
    scope: OrgScope,
    bot: Bot,
    limit: number,
    signal: AbortSignal,
  ): Promise<QuestionDrafts> {
    const { samples, playground } = this.#deps;
    const documents = await samples.listDocuments(scope, bot.id, MAX_DOCUMENTS);
    if (documents.length === 0)
      return { questions: [], model: null, note: 'The bot has no indexed documents yet.' };
    const passages = await samples.listPassages(
      scope,
      documents,
      choosePositions(documents, limit, Math.random),
    );
    const prompt = { ...buildQuestionPrompt(passages), maxTokens: MAX_TOKENS, timeoutMs: MODEL_TIMEOUT_MS };
    const reply = await playground.reply(scope, bot, prompt, signal);
    signal.throwIfAborted();
    const drafts = reply === null ? [] : readDraftedQuestions(reply.text, passages);
    if (reply !== null && drafts.length > 0)
      return { questions: drafts.slice(0, limit), model: reply.model, note: null };
    const searched = choosePositions(documents, MAX_SEARCHED, Math.random);
    const questions = listHeadingQuestions(await samples.listPassages(scope, documents, searched), limit);
    return { questions, model: null, note: explainHeadings(reply === null, questions.length) };
  }
}

function explainHeadings(isModelMissing: boolean, found: number): string {
  const reason = isModelMissing
    ? 'This bot does not answer with a language model.'
    : 'The language model returned no usable questions.';
  return found > 0
    ? `${reason} The drafts are document titles and headings that are phrased as questions.`
    : `${reason} The documents have no titles or headings that are phrased as questions.`;
}
