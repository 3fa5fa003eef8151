import { In, type SelectQueryBuilder } from 'typeorm';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import {
  AnswerRating,
  type RatingReason,
  type Thumb,
} from '../../entities/conversations/answer-rating.entity.ts';

export interface AnswerRatingFilter {
  botId?: string | undefined;
  conversationId?: string | undefined;
  thumb?: Thumb | undefined;
}

/** Number of visitors' ratings of answers with a thumb and a reason. */
export interface RatingCount {
  thumb: Thumb;
  reason: RatingReason | null;
  count: number;
}

export class AnswerRatingRepository extends ScopedRepository<AnswerRating> {
  constructor() {
    super(AnswerRating, 'rating');
  }

  queryRatings(
    scope: OrgScope,
    { botId, conversationId, thumb }: AnswerRatingFilter,
  ): SelectQueryBuilder<AnswerRating> {
    const query = this.query(scope);
    if (botId !== undefined) query.andWhere('row.botId = :botId', { botId });
    if (conversationId !== undefined)
      query.andWhere('row.conversationId = :conversationId', { conversationId });
    if (thumb !== undefined) query.andWhere('row.thumb = :thumb', { thumb });
    return query;
  }

  findByMessage({ db, orgId }: OrgScope, messageId: string): Promise<AnswerRating | null> {
    return db.repository(AnswerRating).findOneBy({ orgId, messageId });
  }

  /** Returns the ids of a bot's most recently rated answers, the newest rating first. */
  async listNewestIds(
    { db, orgId }: OrgScope,
    { botId, thumb, limit }: { botId: string; thumb: Thumb; limit: number },
  ): Promise<string[]> {
    const rows = await db.repository(AnswerRating).find({
      select: { messageId: true },
      where: { orgId, botId, thumb },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
    });
    return rows.map(({ messageId }) => messageId);
  }

  /** Returns visitors' thumbs for those of the given messages that are rated, by message id. */
  async mapThumbs({ db, orgId }: OrgScope, messageIds: readonly string[]): Promise<Map<string, Thumb>> {
    if (messageIds.length === 0) return new Map();
    const rows = await db
      .repository(AnswerRating)
      .find({ select: { messageId: true, thumb: true }, where: { orgId, messageId: In(messageIds) } });
    return new Map(rows.map(({ messageId, thumb }) => [messageId, thumb]));
  }

  /** Counts visitors' ratings of answers that were given within a range of time, by thumb and reason. */
  async count(
    scope: OrgScope,
    { botId, start, end }: { botId: string | undefined; start: Date; end: Date },
  ): Promise<RatingCount[]> {
    const rows = await this.queryRatings(scope, { botId })
      .andWhere('row.createdAt >= :start AND row.createdAt < :end', { start, end })
      .select('row.thumb', 'thumb')
      .addSelect('row.reason', 'reason')
      .addSelect('count(*)', 'count')
      .groupBy('row.thumb')
      .addGroupBy('row.reason')
      .getRawMany<Omit<RatingCount, 'count'> & { count: string }>();
    return rows.map(({ count, ...rest }) => ({ ...rest, count: Number(count) }));
  }
}
