import { Type, type Static } from '@sinclair/typebox';
import { consentStates, conversationStatuses } from '../../entities/conversation.entity.ts';
import { DateTime, FreeForm, Nullable, OneOf, PageParameters, Uuid } from '../http/schemas.ts';
import { MessageRead } from './messages.schemas.ts';

export const ConversationParams = Type.Object({ conversation_id: Uuid('The conversation.') });

const Status = OneOf(conversationStatuses);

const fields = {
  id: Uuid(),
  bot_id: Uuid(),
  visitor_id: Type.String(),
  status: Status,
  consent: OneOf(consentStates, { default: 'unknown' }),
  contact_id: Nullable(Type.String()),
  contact_name: Nullable(Type.String()),
  contact_email: Nullable(Type.String()),
  contact_phone: Nullable(Type.String()),
  custom_fields: FreeForm('Fields extracted from the conversation.'),
  is_lead: Type.Boolean({ default: false }),
  message_count: Type.Integer({ default: 0 }),
  page_url: Nullable(Type.String()),
  rating: Nullable(Type.Integer()),
  resolved: Nullable(Type.Boolean()),
  sentiment: Nullable(Type.String()),
  summary: Nullable(Type.String()),
  title: Nullable(Type.String()),
  total_cost_usd: Type.Number({ default: 0 }),
  started_at: DateTime(),
  last_message_at: DateTime(),
  ended_at: Nullable(DateTime()),
};

export const ConversationRead = Type.Object(fields, {
  $id: 'ConversationRead',
  description: 'A visitor’s conversation with a bot.',
});
export type ConversationRead = Static<typeof ConversationRead>;

export const ConversationDetail = Type.Object(
  {
    ...fields,
    messages: Type.Array(MessageRead, { description: 'The first 500; listConversationMessages reads on.' }),
    referrer: Nullable(Type.String()),
    total_input_tokens: Type.Integer({ default: 0 }),
    total_output_tokens: Type.Integer({ default: 0 }),
  },
  { $id: 'ConversationDetail', description: 'A conversation with its messages and token totals.' },
);

export const ConversationListQuery = Type.Object(
  {
    ...PageParameters,
    bot_id: Type.Optional(Uuid('Conversations with this bot.')),
    contact_id: Type.Optional(Uuid('Conversations of this contact.')),
    status: Type.Optional(OneOf(conversationStatuses, { description: 'Conversations in this state.' })),
    resolved: Type.Optional(Type.Boolean({ description: 'Whether somebody has marked them resolved.' })),
    is_lead: Type.Optional(Type.Boolean({ description: 'Whether the visitor has left contact details.' })),
    rating: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, description: 'Conversations that got this rating.' }),
    ),
    from: Type.Optional(DateTime('Started at this time or later.')),
    to: Type.Optional(DateTime('Started before this time.')),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Text of a message, the title or the visitor id.',
      }),
    ),
  },
  { additionalProperties: false },
);
