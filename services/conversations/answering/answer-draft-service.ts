import { runToEnd } from '../../../core/concurrency/run-to-end.ts';
import { newId } from '../../../core/ids.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { BotRepository } from '../../../repositories/bots/bot.repository.ts';
import type { ConversationRepository } from '../../../repositories/conversations/conversation.repository.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import { compareQuestions } from '../../knowledge/search/question-bonus.ts';
import type { SearchHit, SearchService } from '../../knowledge/search/search-service.ts';
import type { Answer } from './answerer.ts';
import type { PlaygroundService } from './playground-service.ts';
import { buildReplyPrompt, findTeamReplies, limitReplies, readReplyDraft } from './team-replies.ts';

export const answerDraftSources = ['team', 'documents', 'none'] as const;

/** A drafted answer. */
export interface AnswerDraft {
  /**
   * Text of the drafted answer. Empty if neither the team's replies nor the documents answer the question.
   */
  answer: string;
  source: (typeof answerDraftSources)[number];
  /** Name of the model that wrote the draft of the answer; null if no model did. */
  model: string | null;
}

/** A question with its answer, which will become a document of the bot but is not published yet. */
export interface QaEntry {
  question: string;
  answer: string;
}

/** The bot's answer to a message, as if the unpublished question and answer were published. */
export interface EntryTrial {
  answer: Answer;
  /** Whether the bot's answer cites the unpublished entry. */
  usesEntry: boolean;
}

const MAX_TOKENS = 1000;
const MODEL_TIMEOUT_MS = 45_000;
/** Maximum number of a conversation's newest messages in which the team's replies are searched. */
const MAX_MESSAGES = 200;
const PASSAGES = 6;
/**
 * Minimum similarity of a message and the question of an unpublished entry at which the document search is
 * assumed to find the entry.
 */
const MIN_LIKENESS = 0.3;
const CITATIONS = /\s?\[\d+\]/g;

export interface AnswerDraftServiceDeps {
  bots: BotRepository;
  conversations: ConversationRepository;
  messages: MessageRepository;
  search: SearchService;
  playground: PlaygroundService;
}

/** Drafts answers to questions that a bot could not answer, and tests them before they are published. */
export class AnswerDraftService {
  readonly #deps: AnswerDraftServiceDeps;

  constructor(deps: AnswerDraftServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Drafts an answer from the team's replies to the question, otherwise from the bot's documents. Without a
   * model, returns the team's replies unchanged.
   * @param conversationIds conversations in which the question was asked; those of other bots are ignored
   * @throws AppError `forbidden` or `not_found` for bot and conversations; `key_unavailable`
   */
  async draft(
    scope: OrgScope,
    botId: string,
    { question, conversationIds }: { question: string; conversationIds: readonly string[] },
    signal: AbortSignal,
  ): Promise<AnswerDraft> {
    const { bots, playground } = this.#deps;
    const bot = await bots.get(scope, botId);
    const replies = await this.#listReplies(scope, botId, question, conversationIds);
    if (replies.length > 0) {
      const prompt = { ...buildReplyPrompt(question, replies), maxTokens: MAX_TOKENS };
      const reply = await playground.reply(scope, bot, { ...prompt, timeoutMs: MODEL_TIMEOUT_MS }, signal);
      signal.throwIfAborted();
      const draft = reply && readReplyDraft(reply.text);
      return { answer: draft ?? replies.join('\n\n'), source: 'team', model: draft ? reply.model : null };
    }
    const answering = playground.answer(scope, bot, [{ role: 'user', content: question }], signal);
    const answer = await runToEnd(answering);
    if (answer.isUnanswered || answer.failure !== null || answer.citations.length === 0)
      return { answer: '', source: 'none', model: null };
    return { answer: answer.content.replaceAll(CITATIONS, ''), source: 'documents', model: answer.model };
  }

  /**
   * Lets the bot answer a message as if the unpublished entry were published. The entry counts as found if
   * its question is similar to the message.
   * @throws AppError `forbidden` or `not_found` for the bot; `key_unavailable`
   */
  async test(
    scope: OrgScope,
    botId: string,
    { message, entry }: { message: string; entry: QaEntry },
    signal: AbortSignal,
  ): Promise<EntryTrial> {
    const { bots, search, playground } = this.#deps;
    const bot = await bots.get(scope, botId);
    const query = { query: message, limit: PASSAGES, isStrict: bot.strictKbMode };
    const passages = bot.indexedChunkCount === 0 ? [] : await search.findPassages(scope, botId, query);
    const draft = toHit(entry, compareQuestions(message, entry.question));
    const hits = draft.score >= MIN_LIKENESS ? [draft, ...passages].slice(0, PASSAGES) : passages;
    const withEntry = { ...bot, indexedChunkCount: bot.indexedChunkCount + 1 };
    const answer = await playground.answerFrom(scope, withEntry, { question: message, hits }, signal);
    const usesEntry = answer.citations.some(({ document_id: id }) => id === draft.documentId);
    return { answer, usesEntry };
  }

  async #listReplies(
    scope: OrgScope,
    botId: string,
    question: string,
    conversationIds: readonly string[],
  ): Promise<string[]> {
    const { conversations, messages } = this.#deps;
    const replies: string[] = [];
    for (const id of conversationIds) {
      if ((await conversations.get(scope, id)).botId !== botId) continue;
      const thread = await messages.listNewest({ ...scope, conversationId: id }, MAX_MESSAGES);
      replies.push(...findTeamReplies(thread, question));
    }
    return limitReplies([...new Set(replies)]);
  }
}

function toHit({ question, answer }: QaEntry, score: number): SearchHit {
  return {
    documentId: newId(),
    chunkId: newId(),
    title: question,
    headings: [],
    sourceUrl: null,
    text: answer,
    position: 0,
    isQa: true,
    score,
    matchedBy: ['text'],
  };
}
