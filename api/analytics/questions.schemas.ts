import { Type, type Static } from '@sinclair/typebox';
import { questionOrders } from '../../repositories/analytics/question.repository.ts';
import { MOST_DAYS, QUESTIONS_BY_DEFAULT } from '../../services/analytics/question-service.ts';
import { IdOf } from '../http/schemas/named-resource.ts';
import { CalendarDay, DateTime, OneOf, Uuid } from '../http/schemas/schemas.ts';

export const QuestionQuery = Type.Object(
  {
    from: Type.Optional(CalendarDay('The first day (UTC); 29 days before `to` by default.')),
    to: Type.Optional(
      CalendarDay(`The last day (UTC), at most ${MOST_DAYS} with the first; today by default.`),
    ),
    bot_id: Type.Optional(IdOf('bot', 'Questions to this bot.')),
    sort: Type.Optional(
      OneOf(questionOrders, {
        default: 'unanswered',
        description: 'What comes first: what was unanswered most often, or asked.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: QUESTIONS_BY_DEFAULT,
        description: 'How many questions.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Enough to tell a question; its message may have forty times as many. */
export const MOST_QUESTION_CHARS = 500;

export const QuestionCluster = Type.Object(
  {
    id: Uuid('The cluster’s id.'),
    bot_id: Uuid('The bot that was asked.'),
    question: Type.String({
      maxLength: MOST_QUESTION_CHARS,
      description: `The question as it was asked last, in the visitor’s words; of what is longer than ${MOST_QUESTION_CHARS} characters the beginning, with an ellipsis.`,
      examples: ['What are your opening hours in Berlin?'],
    }),
    asked: Type.Integer({ minimum: 1, description: 'How often it was asked in the range.', examples: [14] }),
    unanswered: Type.Integer({
      minimum: 0,
      description:
        'How often of those the documents had nothing, the bot said its fallback, or the model failed.',
      examples: [9],
    }),
    last_asked_at: DateTime('When it was asked last in the range.'),
    conversation_ids: Type.Array(Uuid(), {
      maxItems: 3,
      description: 'Conversations in which it was asked last, the newest first.',
    }),
  },
  { $id: 'QuestionCluster', description: 'A question that visitors have asked, in whatever words.' },
);
export type QuestionCluster = Static<typeof QuestionCluster>;
