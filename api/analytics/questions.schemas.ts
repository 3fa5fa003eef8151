import { Type, type Static } from '@sinclair/typebox';
import { questionOrders } from '../../repositories/analytics/question.repository.ts';
import { MAX_QUESTION_DAYS, QUESTIONS_BY_DEFAULT } from '../../services/analytics/question-service.ts';
import { ResourceId } from '../http/schemas/named-resource.ts';
import { CalendarDay, DateTime, StringEnum, Uuid } from '../http/schemas/schemas.ts';

export const QuestionQuery = Type.Object(
  {
    from: Type.Optional(CalendarDay('The first day (UTC); 29 days before `to` by default.')),
    to: Type.Optional(
      CalendarDay(
        `The last day (UTC), inclusive; a range has at most ${MAX_QUESTION_DAYS} days. Today by default.`,
      ),
    ),
    bot_id: Type.Optional(ResourceId('bot', 'Only questions to this bot.')),
    sort: Type.Optional(
      StringEnum(questionOrders, {
        default: 'unanswered',
        description: 'Sort order: most often unanswered, or most often asked.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: QUESTIONS_BY_DEFAULT,
        description: 'Maximum number of questions.',
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Maximum length of a question in analytics, enough to recognize the question. The visitor's message may be
 * forty times as long.
 */
export const MAX_QUESTION_CHARS = 500;

export const QuestionCluster = Type.Object(
  {
    id: Uuid('The cluster’s id.'),
    bot_id: Uuid('The bot that was asked.'),
    question: Type.String({
      maxLength: MAX_QUESTION_CHARS,
      description: `The question as a visitor most recently worded it; cut to ${MAX_QUESTION_CHARS} characters, with an ellipsis.`,
      examples: ['What are your opening hours in Berlin?'],
    }),
    asked: Type.Integer({
      minimum: 1,
      description: 'Number of times the question was asked in the range.',
      examples: [14],
    }),
    unanswered: Type.Integer({
      minimum: 0,
      description:
        'Number of times that the documents had no answer, the bot used its fallback, or the model failed.',
      examples: [9],
    }),
    last_asked_at: DateTime('Time at which the question was last asked in the range.'),
    conversation_ids: Type.Array(Uuid(), {
      maxItems: 3,
      description: 'The latest conversations in which the question was asked, newest first.',
    }),
  },
  { $id: 'QuestionCluster', description: 'A question that visitors have asked in various wordings.' },
);
export type QuestionCluster = Static<typeof QuestionCluster>;
