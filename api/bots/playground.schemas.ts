import { Type } from '@sinclair/typebox';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { CitationRead } from '../conversations/messages.schemas.ts';
import { Nullable, OneOf, Strict } from '../http/schemas/schemas.ts';
import { BotUpdate } from './bots.schemas.ts';

const PlaygroundTurn = Strict(
  {
    role: OneOf(['user', 'assistant'], { description: 'Who said it.' }),
    content: Type.String({ minLength: 1, maxLength: MAX_MESSAGE_LENGTH, description: 'What was said.' }),
  },
  { $id: 'PlaygroundTurn', description: 'An earlier turn of the trial.' },
);

export const PlaygroundRequest = Strict(
  {
    message: Type.String({
      minLength: 1,
      maxLength: MAX_MESSAGE_LENGTH,
      pattern: '\\S',
      description: 'What a visitor might say.',
      examples: ['What does a day pass cost?'],
    }),
    history: Type.Optional(
      Type.Array(PlaygroundTurn, { maxItems: 50, default: [], description: 'What was said before.' }),
    ),
    config: Type.Optional(BotUpdate),
  },
  {
    $id: 'PlaygroundRequest',
    description: 'A test message, with unsaved changes of the configuration if wanted.',
  },
);

export const PlaygroundReply = Type.Object(
  {
    content: Type.String({ description: 'The text of the answer.' }),
    citations: Type.Array(CitationRead, { description: 'Its sources.' }),
    model: Nullable(Type.String({ description: 'The model that answered; null when none was asked.' })),
    input_tokens: Nullable(Type.Integer({ description: 'Tokens that the model read.' })),
    output_tokens: Nullable(Type.Integer({ description: 'Tokens that it wrote.' })),
    cost_usd: Nullable(Type.Number({ description: 'What they cost; null if unknown.' })),
    latency_ms: Type.Integer({ description: 'From the question to the whole answer.' }),
    ttft_ms: Nullable(Type.Integer({ description: 'From the question to the first text.' })),
    error: Nullable(
      Type.Object(
        {
          code: Type.String({ description: 'What kind of failure it was.' }),
          message: Type.String({ description: 'What happened, for people.' }),
        },
        { description: 'Why the model did not answer; null when it did.' },
      ),
    ),
    searched_for: Nullable(
      Type.String({
        description:
          'What the documents were searched for: the message, or a question made of it and the turns before; null where the bot has no documents.',
      }),
    ),
  },
  { $id: 'PlaygroundReply', description: 'The answer, and what went wrong if the model failed.' },
);

export const PlaygroundEvent = Type.Union(
  [
    Type.Object(
      { text: Type.String({ description: 'The next piece of the answer.' }) },
      { title: 'delta', description: 'More of the answer.' },
    ),
    Type.Object(
      { reply: PlaygroundReply },
      { title: 'done', description: 'The whole answer; the last event.' },
    ),
  ],
  { $id: 'PlaygroundEvent', description: 'The data of a server-sent event; its title is the event’s name.' },
);
