import { Type, type Static } from '@sinclair/typebox';
import { consentStates, conversationStatuses } from '../../entities/conversations/conversation.entity.ts';
import { conversationActions } from '../../services/conversations/conversation-actions.ts';
import { conversationSorts } from '../../services/conversations/conversation-service.ts';
import { ResourceId } from '../http/schemas/named-resource.ts';
import {
  DateTime,
  FreeForm,
  Nullable,
  StringEnum,
  PageParameters,
  Strict,
  Uuid,
} from '../http/schemas/schemas.ts';
import { previewFields, MessageRead } from './messages.schemas.ts';

export const ConversationParams = Type.Object({ conversation_id: Uuid('The conversation.') });

const Status = StringEnum(conversationStatuses, { description: 'The state of the conversation.' });

const fields = {
  id: Uuid('The conversation’s id.'),
  bot_id: Uuid('The bot of the conversation.'),
  visitor_id: Type.String({ description: 'The visitor’s id, as given by the page.' }),
  status: Status,
  consent: StringEnum(consentStates, {
    default: 'unknown',
    description: 'The visitor’s choice whether contact details may be stored.',
  }),
  contact_id: Nullable(Type.String({ description: 'Id of the visitor’s contact.' })),
  contact_name: Nullable(Type.String({ description: 'Name of the contact.' })),
  contact_email: Nullable(Type.String({ description: 'Email address of the contact.' })),
  contact_phone: Nullable(Type.String({ description: 'Phone number of the contact.' })),
  custom_fields: FreeForm('Fields extracted from the conversation.'),
  is_lead: Type.Boolean({ default: false, description: 'Whether the visitor has left contact details.' }),
  message_count: Type.Integer({ default: 0, description: 'Messages from both sides.' }),
  page_url: Nullable(Type.String({ description: 'The page on which the conversation began.' })),
  rating: Nullable(Type.Integer({ description: 'The visitor’s rating, 1 to 5.' })),
  resolved: Nullable(
    Type.Boolean({ description: 'Whether the team has marked the conversation as resolved.' }),
  ),
  sentiment: Nullable(Type.String({ description: 'The visitor’s mood, as detected by a model.' })),
  summary: Nullable(Type.String({ description: 'A summary in a few sentences.' })),
  title: Nullable(Type.String({ description: 'The topic, in a few words.' })),
  ...previewFields,
  total_cost_usd: Type.Number({ default: 0, description: 'Cost of the conversation’s answers.' }),
  started_at: DateTime('Start time.'),
  last_message_at: DateTime('Time of the last message.'),
  ended_at: Nullable(DateTime('Time at which the conversation ended; null while it is open.')),
};

export const ConversationRead = Type.Object(fields, {
  $id: 'ConversationRead',
  description: 'A visitor’s conversation with a bot.',
});
export type ConversationRead = Static<typeof ConversationRead>;

export const ConversationDetail = Type.Object(
  {
    ...fields,
    messages: Type.Array(MessageRead, {
      description:
        'The first 500 messages, or fewer if they are long; listConversationMessages returns the rest.',
    }),
    referrer: Nullable(
      Type.String({ description: 'The referrer of the page on which the conversation began.' }),
    ),
    total_input_tokens: Type.Integer({
      default: 0,
      description: 'Tokens that models have read for the conversation.',
    }),
    total_output_tokens: Type.Integer({
      default: 0,
      description: 'Tokens that models have written for the conversation.',
    }),
  },
  { $id: 'ConversationDetail', description: 'A conversation with its messages and token totals.' },
);

export const ConversationListQuery = Type.Object(
  {
    ...PageParameters,
    bot_id: Type.Optional(ResourceId('bot', 'Conversations with this bot.')),
    contact_id: Type.Optional(ResourceId('contact', 'Conversations of this contact.')),
    status: Type.Optional(StringEnum(conversationStatuses, { description: 'Conversations in this state.' })),
    resolved: Type.Optional(
      Type.Boolean({
        description:
          'Filter by whether the team has marked the conversation as resolved. Includes sessions without a visitor message; `has_visitor_message=true` excludes them, as analytics do.',
      }),
    ),
    has_visitor_message: Type.Optional(
      Type.Boolean({
        description:
          'Whether the visitor has sent a message. `true` lists the conversations that analytics count, `false` sessions without a visitor message; both by default.',
      }),
    ),
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
        description:
          'Part of a message, of the title, the summary or the visitor id, or of the contact’s name, email address or phone number, in any notation.',
      }),
    ),
    sort: Type.Optional(
      StringEnum(conversationSorts, {
        default: 'started',
        examples: ['last_message'],
        description:
          'Sort by start time or by time of the last message, newest first. In the order by last message, a conversation that gets a message while you page moves to the top.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const BulkConversationUpdate = Strict(
  {
    ids: Type.Array(Type.String({ maxLength: 100, examples: ['0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b'] }), {
      minItems: 1,
      maxItems: 200,
      description: 'Ids of the conversations. A repeated id has one outcome per occurrence.',
    }),
    action: StringEnum(conversationActions, {
      description: 'The action for each; delete needs the role admin.',
    }),
  },
  { $id: 'BulkConversationUpdate', description: 'One action for many conversations.' },
);

const BulkOutcome = Type.Object(
  {
    id: Type.String({ description: 'The id, as requested.' }),
    ok: Type.Boolean({ description: 'Whether the action was applied.' }),
    error: Nullable(
      Type.String({
        description: 'Why the action failed: the error code of a single request for this id, and a message.',
        examples: ['not_found: There is no such conversation.'],
      }),
    ),
  },
  { $id: 'BulkOutcome', description: 'The outcome for one id.' },
);

export const BulkResponse = Type.Object(
  {
    results: Type.Array(BulkOutcome, { description: 'A result for each id, in the requested order.' }),
    succeeded: Type.Integer({ description: 'Number of successful outcomes.' }),
    failed: Type.Integer({ description: 'Number of failed outcomes.' }),
  },
  { $id: 'BulkResponse', description: 'The outcome for each id, and the counts.' },
);
export type BulkResponse = Static<typeof BulkResponse>;
