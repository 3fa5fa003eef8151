import { Type, type Static } from '@sinclair/typebox';
import { messageRoles } from '../../entities/message.entity.ts';
import { DateTime, Nullable, OneOf, Uuid } from '../http/schemas.ts';

export const CitationRead = Type.Object(
  {
    index: Type.Integer({ description: 'The number that the text refers to, as in [1].' }),
    document_id: Uuid(),
    chunk_id: Uuid(),
    title: Type.String(),
    source_url: Nullable(Type.String()),
    quote: Type.String({ description: 'The passage that was cited.' }),
  },
  { $id: 'Citation', description: 'A source of an answer.' },
);

const visible = {
  id: Uuid(),
  role: OneOf(messageRoles),
  content: Type.String(),
  citations: Nullable(Type.Array(CitationRead)),
  is_error: Type.Boolean({ default: false }),
  error_code: Nullable(Type.String()),
  created_at: DateTime(),
};

export const MessageRead = Type.Object(
  {
    ...visible,
    model: Nullable(Type.String()),
    input_tokens: Nullable(Type.Integer()),
    output_tokens: Nullable(Type.Integer()),
    cost_usd: Nullable(Type.Number()),
    latency_ms: Nullable(Type.Integer({ description: 'From the question to the whole answer.' })),
    ttft_ms: Nullable(Type.Integer({ description: 'From the question to the first text.' })),
  },
  { $id: 'MessageRead', description: 'A turn of a conversation.' },
);
export type MessageRead = Static<typeof MessageRead>;

export const VisitorMessageRead = Type.Object(visible, {
  $id: 'VisitorMessageRead',
  description: 'A turn as the visitor sees it: without model, tokens and cost.',
});
export type VisitorMessageRead = Static<typeof VisitorMessageRead>;

export const MessageRangeQuery = Type.Object(
  {
    after: Type.Optional(Uuid('Only messages after this one.')),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Messages at most.' }),
    ),
  },
  { additionalProperties: false },
);
