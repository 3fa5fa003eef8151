import { Type, type Static } from '@sinclair/typebox';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { previewFields } from './messages.schemas.ts';
import { ResourceId } from '../http/schemas/named-resource.ts';
import { DateTime, Nullable, PageParameters, Strict, Uuid, UUID_PATTERN } from '../http/schemas/schemas.ts';

export const InboxQuery = Type.Object(
  {
    ...PageParameters,
    bot_id: Type.Optional(ResourceId('bot', 'Only handoffs of this bot.')),
    assigned_to: Type.Optional(
      Type.String({
        pattern: `^(me|none|${UUID_PATTERN})$`,
        description: 'Filter by assignee: a member’s id, the caller (me), or unassigned (none).',
        examples: ['me', 'none', '0198c2f0-7b1e-7c3a-9d0e-3f5a6b7c8d9e'],
      }),
    ),
  },
  { additionalProperties: false },
);

const fields = {
  id: Uuid('The conversation’s id.'),
  bot_id: Uuid('The bot of the conversation.'),
  visitor_id: Type.String({ description: 'The visitor’s id, as given by the page.' }),
  assigned_at: Nullable(DateTime('Time at which a member claimed the conversation.')),
  assigned_to_id: Nullable(
    Type.String({
      description: 'The member who has claimed the conversation; null while the conversation waits.',
    }),
  ),
  assigned_to_name: Nullable(Type.String({ description: 'Name of the member.' })),
  contact_email: Nullable(Type.String({ description: 'Email address of the contact.' })),
  contact_name: Nullable(Type.String({ description: 'Name of the contact.' })),
  handoff_reason: Nullable(Type.String({ description: 'The visitor’s request to the team.' })),
  handoff_requested_at: Nullable(
    DateTime('Time at which a person was requested or took over; null once the bot answers again.'),
  ),
  page_url: Nullable(Type.String({ description: 'The page on which the conversation began.' })),
  title: Nullable(Type.String({ description: 'The topic, in a few words.' })),
  ...previewFields,
  last_message_at: Nullable(DateTime('Time of the last message.')),
  visitor_seen_at: Nullable(DateTime('Time of the last request from the visitor’s page.')),
  message_count: Type.Integer({
    default: 0,
    description: 'Number of messages from the visitor, the bot and the team.',
  }),
  visitor_present: Type.Boolean({
    default: false,
    description: 'Whether the page with the chat is open in the visitor’s browser.',
  }),
  waiting_seconds: Type.Integer({
    default: 0,
    description: 'Seconds that the visitor waited for a member, or has been waiting so far.',
  }),
};

export const InboxItem = Type.Object(fields, {
  $id: 'InboxItem',
  description: 'A conversation that waits for a person or is handled by a person.',
});
export type InboxItem = Static<typeof InboxItem>;

/** The data of each kind of inbox event. The title of each variant is the event's name. */
export const InboxEvent = Type.Union(
  [
    Type.Object(fields, {
      title: 'item',
      description:
        'A handoff in the inbox, sent when the stream starts, and when the handoff arrives, is reassigned or gets a message.',
    }),
    Type.Object(
      { id: fields.id },
      {
        title: 'removed',
        description:
          'The conversation has left the inbox: the bot answers again, or the conversation has ended or was deleted.',
      },
    ),
  ],
  { $id: 'InboxEvent', description: 'The data of a server-sent event; `x-event` is the event’s name.' },
);

export const InboxAssignRequest = Strict(
  {
    assigned_to_id: Nullable(
      Type.String({
        pattern: `^(me|${UUID_PATTERN})$`,
        description: 'The assignee’s id; the caller (me); or null to unassign the conversation.',
        examples: ['me', '0198c2f0-7b1e-7c3a-9d0e-3f5a6b7c8d9e'],
      }),
    ),
  },
  { $id: 'InboxAssignRequest', description: 'The new assignee of a conversation.' },
);

export const InboxReplyRequest = Strict(
  {
    content: Type.String({
      minLength: 1,
      maxLength: MAX_MESSAGE_LENGTH,
      pattern: '\\S',
      description: 'The message to the visitor; must not be blank.',
      examples: ['I have found your order.'],
    }),
  },
  { $id: 'InboxReplyRequest', description: 'A message from the team.' },
);
