import { Type } from '@sinclair/typebox';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { answerDraftSources } from '../../services/conversations/answering/answer-draft-service.ts';
import { CitationRead } from '../conversations/messages.schemas.ts';
import { Nullable, SingleLine, StringEnum, Strict, Uuid } from '../http/schemas/schemas.ts';

const questionText = {
  minLength: 1,
  maxLength: 500,
  description: 'The question.',
  examples: ['Do you rent tandems?'],
};
const MAX_ANSWER_LENGTH = 20_000;

export const AnswerDraftRequest = Strict(
  {
    question: SingleLine(questionText),
    conversation_ids: Type.Optional(
      Type.Array(Uuid('A conversation.'), {
        maxItems: 3,
        default: [],
        description:
          'Conversations in which the question was asked, as in `listTopQuestions`. Conversations of the workspace’s other bots are ignored.',
      }),
    ),
  },
  { $id: 'AnswerDraftRequest', description: 'A question that the bot could not answer.' },
);

export const AnswerDraft = Type.Object(
  {
    answer: Type.String({
      description: 'The draft; empty if there is nothing to draft it from.',
      examples: ['We rent tandems for £25 a day.'],
    }),
    source: StringEnum(answerDraftSources, {
      description: 'The source of the draft: replies of the `team`, `documents` of the bot, or `none`.',
    }),
    model: Nullable(
      Type.String({ description: 'The model that wrote the draft; null if no model was used.' }),
    ),
  },
  { $id: 'AnswerDraft', description: 'A drafted answer, for a person to review before it is published.' },
);

export const AnswerTrialRequest = Strict(
  {
    message: Type.String({
      minLength: 1,
      maxLength: MAX_MESSAGE_LENGTH,
      pattern: '\\S',
      description: 'A sample visitor message.',
      examples: ['Can I rent a tandem?'],
    }),
    question: SingleLine(questionText),
    answer: Type.String({
      minLength: 1,
      maxLength: MAX_ANSWER_LENGTH,
      pattern: '\\S',
      description: 'The answer to try, which is not published yet.',
      examples: ['We rent tandems for £25 a day.'],
    }),
  },
  { $id: 'AnswerTrialRequest', description: 'A message, and a Q&A entry that the bot does not have yet.' },
);

export const AnswerTrial = Type.Object(
  {
    content: Type.String({ description: 'The text of the bot’s answer.' }),
    citations: Type.Array(CitationRead, { description: 'Sources of the answer.' }),
    is_unanswered: Type.Boolean({ description: 'Whether the bot has no answer.' }),
    uses_entry: Type.Boolean({ description: 'Whether the answer cites the entry.' }),
    model: Nullable(Type.String({ description: 'The model that answered; null if no model was called.' })),
    error: Nullable(Type.String({ description: 'Why the model did not answer; null if it did.' })),
  },
  { $id: 'AnswerTrial', description: 'The bot’s answer as if the entry were published.' },
);
