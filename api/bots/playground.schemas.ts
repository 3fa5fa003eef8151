import { Type } from '@sinclair/typebox';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { CitationRead } from '../conversations/messages.schemas.ts';
import { Nullable, StringEnum, Strict } from '../http/schemas/schemas.ts';
import { BotUpdate } from './bots.schemas.ts';

const PlaygroundTurn = Strict(
  {
    role: StringEnum(['user', 'assistant'], { description: 'The author’s role.' }),
    content: Type.String({
      minLength: 1,
      maxLength: MAX_MESSAGE_LENGTH,
      description: 'The text of the message.',
    }),
  },
  { $id: 'PlaygroundTurn', description: 'An earlier turn of the trial.' },
);

export const PlaygroundRequest = Strict(
  {
    message: Type.String({
      minLength: 1,
      maxLength: MAX_MESSAGE_LENGTH,
      pattern: '\\S',
      description: 'A sample visitor message.',
      examples: ['What does a day pass cost?'],
    }),
    history: Type.Optional(
      Type.Array(PlaygroundTurn, { maxItems: 50, default: [], description: 'The previous messages.' }),
    ),
    config: Type.Optional(BotUpdate),
  },
  {
    $id: 'PlaygroundRequest',
    description: 'A test message, optionally with unsaved changes of the configuration.',
  },
);

export const PlaygroundReply = Type.Object(
  {
    content: Type.String({ description: 'The text of the answer.' }),
    citations: Type.Array(CitationRead, { description: 'Sources of the answer.' }),
    model: Nullable(Type.String({ description: 'The model that answered; null if no model was called.' })),
    input_tokens: Nullable(Type.Integer({ description: 'Tokens that the model read.' })),
    output_tokens: Nullable(Type.Integer({ description: 'Tokens that the model wrote.' })),
    cost_usd: Nullable(Type.Number({ description: 'Cost of the tokens; null if unknown.' })),
    latency_ms: Type.Integer({ description: 'Time from the question to the complete answer.' }),
    ttft_ms: Nullable(Type.Integer({ description: 'Time from the question to the first text.' })),
    error: Nullable(
      Type.Object(
        {
          code: Type.String({ description: 'The kind of failure.' }),
          message: Type.String({ description: 'A description for people.' }),
        },
        { description: 'Reason why the model did not answer; null if it did.' },
      ),
    ),
    searched_for: Nullable(
      Type.String({
        description:
          'The search query: the message, or a question derived from it and the previous messages; null if the bot has no documents.',
      }),
    ),
  },
  { $id: 'PlaygroundReply', description: 'The answer, and the error if the model failed.' },
);

export const PlaygroundEvent = Type.Union(
  [
    Type.Object(
      { text: Type.String({ description: 'The next piece of the answer.' }) },
      { title: 'delta', description: 'The next part of the answer.' },
    ),
    Type.Object(
      { reply: PlaygroundReply },
      { title: 'done', description: 'The complete answer; the last event.' },
    ),
  ],
  { $id: 'PlaygroundEvent', description: 'The data of a server-sent event; `x-event` is the event’s name.' },
);
