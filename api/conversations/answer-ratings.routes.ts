import { Type } from '@sinclair/typebox';
import { mapPage } from '../../database/page.ts';
import type { RatedAnswer } from '../../services/conversations/answer-rating-service.ts';
import { AnalyticsQuery } from '../analytics/analytics.schemas.ts';
import { defineOperation } from '../http/operation.ts';
import { Message, PageSchema, Uuid } from '../http/schemas/schemas.ts';
import { SessionParams } from '../widget/widget.schemas.ts';
import { visitorAccess } from '../widget/visitor-access.ts';
import {
  AnswerRatingQuery,
  AnswerRatingRead,
  AnswerRatingSubmission,
  AnswerRatingSummary,
} from './answer-ratings.schemas.ts';

export const rateWidgetMessage = defineOperation({
  ...visitorAccess,
  id: 'rateWidgetMessage',
  readsContent: true,
  method: 'PUT',
  path: '/api/ext/public/sessions/{session_id}/messages/{message_id}/rating',
  params: Type.Object({ ...SessionParams.properties, message_id: Uuid('The answer.') }),
  body: AnswerRatingSubmission,
  responses: { 200: Message },
  errors: ['conflict', 'not_found', 'forbidden'],
  summary: 'Rate an answer of the bot; a later rating replaces an earlier one.',
  handle: async ({ ctx, params, body }, { conversations: { answerRatings } }) => {
    const { rating: thumb, reason = null, comment = null } = body;
    await answerRatings.rate(ctx, params.message_id, { thumb, reason, comment });
    return { message: thumb === null ? 'The rating is removed.' : 'Thank you for the rating.' };
  },
});

export const listAnswerRatings = defineOperation({
  tag: 'conversations',
  auth: 'member',
  scope: 'conversations:read',
  role: 'viewer',
  id: 'listAnswerRatings',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: '/api/ext/answer-ratings',
  query: AnswerRatingQuery,
  responses: { 200: PageSchema(AnswerRatingRead) },
  summary: 'A page of visitors’ ratings of answers, newest first.',
  handle: async ({ ctx, query }, { conversations: { answerRatings } }) => {
    const { bot_id: botId, conversation_id: conversationId, rating: thumb, ...page } = query;
    return mapPage(await answerRatings.list(ctx, { botId, conversationId, thumb }, page), presentRating);
  },
});

export const getAnswerRatingSummary = defineOperation({
  tag: 'analytics',
  auth: 'member',
  scope: 'analytics:read',
  role: 'viewer',
  id: 'getAnswerRatingSummary',
  method: 'GET',
  path: '/api/ext/analytics/answer-ratings',
  query: Type.Omit(AnalyticsQuery, ['timezone'], { additionalProperties: false }),
  responses: { 200: AnswerRatingSummary },
  summary: 'Number of answers that visitors rated within a range, with the reasons for thumbs down.',
  handle: async ({ ctx, query }, { conversations: { answerRatings } }) => {
    const { from, to, helpfulRate, ...sums } = await answerRatings.summarize(ctx, query);
    return { from: from.toISOString(), to: to.toISOString(), ...sums, helpful_rate: helpfulRate };
  },
});

function presentRating({ rating, question }: RatedAnswer): AnswerRatingRead {
  return {
    id: rating.id,
    bot_id: rating.botId,
    conversation_id: rating.conversationId,
    message_id: rating.messageId,
    question,
    rating: rating.thumb,
    reason: rating.reason,
    comment: rating.comment,
    created_at: rating.createdAt.toISOString(),
    updated_at: rating.updatedAt.toISOString(),
  };
}
