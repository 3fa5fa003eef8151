import { Type } from '@sinclair/typebox';
import { getAnalyticsOverview } from '../../analytics/analytics.routes.ts';
import { listTopQuestions } from '../../analytics/questions.routes.ts';
import { Nullable } from '../../http/schemas/schemas.ts';
import { ResultTruncator } from '../result-truncator.ts';
import { defineTool } from '../tool.ts';

const DAY_MS = 86_400_000;
const QUESTIONS = 10;
const QUESTION = 300;

const NullableRate = (description: string) => Nullable(Type.Number({ description }));

export const getInsightsTool = defineTool({
  name: 'get_insights',
  title: 'Get insights',
  description:
    'Summarizes the bots’ results over the last days: conversations, ratings, leads, handoffs, and the questions that the bots could not answer. Use it for reports and to find what knowledge is missing; then add it with add_knowledge, or read the chats with find_conversations.',
  input: {
    bot_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Only results of this bot; an id from list_bots.' }),
    ),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 90, default: 7, description: 'Number of days, up to now.' }),
    ),
  },
  output: {
    totals: Type.Object({
      conversations: Type.Integer({ description: 'Conversations in which a visitor has written.' }),
      ended: Type.Integer({ description: 'Conversations that have ended.' }),
      self_service_rate: NullableRate(
        'Share of the ended conversations that needed no person; null if no conversation has ended.',
      ),
      leads: Type.Integer({
        description:
          'Sessions in which the visitor left contact details, including those with no message yet.',
      }),
      handoffs_requested: Type.Integer(),
      handoffs_answered: Type.Integer(),
      ratings: Type.Integer(),
      average_rating: NullableRate('The average rating, from 1 to 5; null if there are no ratings.'),
      errors: Type.Integer({ description: 'Answers that failed.' }),
      unanswered: Type.Integer({ description: 'Questions that the documents did not answer.' }),
    }),
    unanswered: Type.Array(Type.Object({ question: Type.String(), count: Type.Integer() }), {
      description: 'Visitors’ questions without an answer, most frequent first.',
    }),
  },
  operations: [getAnalyticsOverview, listTopQuestions],
  run: async ({ bot_id: botId, days = 7 }, calls) => {
    const truncator = new ResultTruncator();
    const to = Date.now();
    const from = to - days * DAY_MS;
    const [overview, questions] = await Promise.all([
      calls.run(getAnalyticsOverview, {
        query: { bot_id: botId, from: new Date(from).toISOString(), timezone: 'UTC' },
      }),
      calls.run(listTopQuestions, {
        query: {
          bot_id: botId,
          from: formatDay(from),
          to: formatDay(to),
          sort: 'unanswered',
          limit: QUESTIONS,
        },
      }),
    ]);
    return {
      totals: {
        conversations: overview.conversations,
        ended: overview.ended,
        self_service_rate: overview.self_service_rate,
        leads: overview.leads,
        handoffs_requested: overview.handoffs.requested,
        handoffs_answered: overview.handoffs.answered,
        ratings: overview.ratings.count,
        average_rating: overview.ratings.average,
        errors: overview.errors,
        unanswered: overview.unanswered,
      },
      unanswered: questions
        .filter(({ unanswered }) => unanswered > 0)
        .map(({ question, unanswered }) => ({
          question: truncator.truncateText(question, QUESTION),
          count: unanswered,
        })),
      truncated: truncator.isTruncated,
    };
  },
});

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
