import { Type, type Static } from '@sinclair/typebox';
import { ratingReasons, thumbs } from '../../entities/conversations/answer-rating.entity.ts';
import { ResourceId } from '../http/schemas/named-resource.ts';
import { DateTime, Nullable, PageParameters, StringEnum, Strict, Uuid } from '../http/schemas/schemas.ts';

const Reason = StringEnum(ratingReasons, { description: 'What is wrong with the answer.' });
const commentText = {
  maxLength: 1000,
  description: 'A comment in the visitor’s own words.',
  examples: ['The price is from last year.'],
};

export const AnswerRatingSubmission = Strict(
  {
    rating: Nullable(
      StringEnum(thumbs, {
        description: 'Whether the answer helped; null removes the rating.',
        examples: ['down'],
      }),
    ),
    reason: Type.Optional(Nullable(Reason)),
    comment: Type.Optional(Nullable(Type.String(commentText))),
  },
  {
    $id: 'AnswerRatingSubmission',
    description: 'A visitor’s rating of an answer. `reason` and `comment` are stored for `down` only.',
  },
);

export const AnswerRatingQuery = Type.Object(
  {
    ...PageParameters,
    bot_id: Type.Optional(ResourceId('bot', 'Only ratings of this bot’s answers.')),
    conversation_id: Type.Optional(ResourceId('conversation', 'Only ratings in this conversation.')),
    rating: Type.Optional(StringEnum(thumbs, { description: 'Only thumbs up, or only thumbs down.' })),
  },
  { additionalProperties: false },
);

export const AnswerRatingRead = Type.Object(
  {
    id: Uuid('The rating’s id.'),
    bot_id: Uuid('The bot that answered.'),
    conversation_id: Uuid('The conversation.'),
    message_id: Uuid('The rated answer.'),
    question: Nullable(
      Type.String({
        description: 'The visitor’s message that was answered; null if there is none.',
        examples: ['What does a day pass cost?'],
      }),
    ),
    rating: StringEnum(thumbs, { description: 'Whether the answer helped the visitor.' }),
    reason: Nullable(Reason),
    comment: Nullable(Type.String(commentText)),
    created_at: DateTime('When the visitor first rated the answer.'),
    updated_at: DateTime('When the visitor last changed the rating.'),
  },
  { $id: 'AnswerRatingRead', description: 'A visitor’s rating of an answer.' },
);
export type AnswerRatingRead = Static<typeof AnswerRatingRead>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const AnswerRatingSummary = Type.Object(
  {
    from: DateTime('The start of the range.'),
    to: DateTime('The exclusive end of the range.'),
    up: Count('Answers with a thumb up.'),
    down: Count('Answers with a thumb down.'),
    helpful_rate: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of thumbs up. Null if there are no ratings.',
      }),
    ),
    reasons: Type.Array(
      Type.Object({ reason: Reason, count: Count('Number of thumbs down with this reason.') }),
      {
        description: 'All reasons, with the number of thumbs down for each.',
      },
    ),
  },
  { $id: 'AnswerRatingSummary', description: 'Visitors’ ratings of answers within a range.' },
);
export type AnswerRatingSummary = Static<typeof AnswerRatingSummary>;
