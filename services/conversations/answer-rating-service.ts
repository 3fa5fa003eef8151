import { toAnalyticsRange, type RequestedAnalyticsRange } from '../../core/analytics/analytics-range.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { readPage, type CursorSigner, type Page, type PageQuery } from '../../database/page.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { AnswerRating, RatingReason, Thumb } from '../../entities/conversations/answer-rating.entity.ts';
import type {
  AnswerRatingFilter,
  AnswerRatingRepository,
} from '../../repositories/conversations/answer-rating.repository.ts';
import type { ConversationRepository } from '../../repositories/conversations/conversation.repository.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import type { VisitorScope } from '../contacts/visitor-scope.ts';
import { requireSessionRow } from './session-errors.ts';
import { sumRatings, type RatingSums } from './sum-ratings.ts';

/** A visitor's rating of an answer in an API request. */
export interface RatingInput {
  /** Thumb up or down; null to remove the rating. */
  thumb: Thumb | null;
  reason: RatingReason | null;
  comment: string | null;
}

/** A visitor's rating of an answer, with the answer and the question. */
export interface RatedAnswer {
  rating: Opened<AnswerRating>;
  /** The question to which the answer replied; null if no question is stored. */
  question: string | null;
}

export interface AnswerRatingServiceDeps {
  ratings: AnswerRatingRepository;
  messages: MessageRepository;
  conversations: ConversationRepository;
  keyring: CursorSigner;
  clock: Clock;
}

/** Stores and lists visitors' ratings of answers. */
export class AnswerRatingService {
  readonly #deps: AnswerRatingServiceDeps;

  constructor(deps: AnswerRatingServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Stores the visitor's rating of an answer; a later rating replaces it. The lock of the conversation makes
   * concurrent ratings wait for each other.
   * @throws AppError `not_found` for a message of another conversation; `conflict` for a message that is not
   * an answer of the bot; `key_unavailable`
   */
  rate(scope: VisitorScope, messageId: string, { thumb, reason, comment }: RatingInput): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { ratings, messages, conversations } = this.#deps;
      const { id: conversationId, botId } = await requireSessionRow(
        conversations.lock(tx, scope.conversationId),
      );
      const message = await messages.getInConversation({ ...tx, conversationId }, messageId);
      if (message.role !== 'assistant' || message.state !== 'complete' || message.isError)
        throw new AppError('conflict', 'Only complete answers of the bot can be rated.');
      const existing = await ratings.findByMessage(tx, messageId);
      if (thumb === null) {
        if (existing) await ratings.delete(tx, existing.id);
        return;
      }
      const isDown = thumb === 'down';
      const givenRating = {
        thumb,
        reason: isDown ? reason : null,
        comment: isDown ? trimToNull(comment) : null,
      };
      if (existing) await ratings.update(tx, existing.id, { ...givenRating, updatedAt: () => 'now()' });
      else await ratings.insert(tx, { id: newId(), botId, conversationId, messageId, ...givenRating });
    });
  }

  /** Returns the visitor's thumbs by message id. Messages that the visitor has not rated are missing. */
  mapThumbs(scope: OrgScope, messageIds: readonly string[]): Promise<Map<string, Thumb>> {
    return this.#deps.ratings.mapThumbs(scope, messageIds);
  }

  /**
   * Lists visitors' ratings of answers with their questions, newest first.
   * @throws AppError `key_unavailable`
   */
  async list(scope: OrgScope, filter: AnswerRatingFilter, page: PageQuery): Promise<Page<RatedAnswer>> {
    const { ratings, messages, keyring } = this.#deps;
    const ratingPage = await readPage(ratings.queryRatings(scope, filter), page, keyring);
    const opened = await ratings.openAll(scope, ratingPage.items);
    const questions = await messages.mapQuestions(
      scope,
      opened.map(({ messageId }) => messageId),
    );
    const items = opened.map((rating) => ({ rating, question: questions.get(rating.messageId) ?? null }));
    return { ...ratingPage, items };
  }

  /**
   * Counts the ratings that visitors gave within a range of time.
   * @throws AppError `validation_error` for an invalid range
   */
  async summarize(
    scope: OrgScope,
    { bot_id: botId, ...requested }: RequestedAnalyticsRange & { bot_id?: string | undefined },
  ): Promise<RatingSums & { from: Date; to: Date }> {
    const { ratings, clock } = this.#deps;
    const { start, end } = toAnalyticsRange(requested, clock.now());
    const [from, to] = [new Date(start), new Date(end)];
    const counts = await ratings.count(scope, { botId, start: from, end: to });
    return { from, to, ...sumRatings(counts) };
  }
}

function trimToNull(text: string | null): string | null {
  return text?.trim() || null;
}
