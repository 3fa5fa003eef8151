import { Type } from '@sinclair/typebox';
import { CitationRead } from '../conversations/messages.schemas.ts';
import { Nullable, OneOf, Strict } from '../http/schemas.ts';
import { BotUpdate } from './bots.schemas.ts';

const PlaygroundTurn = Strict(
  {
    role: OneOf(['user', 'assistant']),
    content: Type.String({ minLength: 1, maxLength: 20000 }),
  },
  { $id: 'PlaygroundTurn', description: 'An earlier turn of the trial.' },
);

export const PlaygroundRequest = Strict(
  {
    message: Type.String({
      minLength: 1,
      maxLength: 20000,
      pattern: '\\S',
      examples: ['What does a day pass cost?'],
    }),
    history: Type.Optional(Type.Array(PlaygroundTurn, { maxItems: 50, default: [] })),
    config: Type.Optional(BotUpdate),
  },
  {
    $id: 'PlaygroundRequest',
    description: 'A test message, with unsaved changes of the configuration if wanted.',
  },
);

export const PlaygroundReply = Type.Object(
  {
    content: Type.String(),
    citations: Type.Array(CitationRead),
    model: Nullable(Type.String()),
    input_tokens: Nullable(Type.Integer()),
    output_tokens: Nullable(Type.Integer()),
    cost_usd: Nullable(Type.Number()),
    latency_ms: Type.Integer(),
    ttft_ms: Nullable(Type.Integer()),
    error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { $id: 'PlaygroundReply', description: 'The answer, and what went wrong if the model failed.' },
);

export const PlaygroundEvent = Type.Union(
  [
    Type.Object({ text: Type.String() }, { title: 'delta' }),
    Type.Object({ reply: PlaygroundReply }, { title: 'done' }),
  ],
  { $id: 'PlaygroundEvent', description: 'The data of a server-sent event; its title is the event’s name.' },
);
