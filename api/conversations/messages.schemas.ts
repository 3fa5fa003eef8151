import { Type, type Static } from '@sinclair/typebox';
import { consentStates } from '../../entities/conversations/conversation.entity.ts';
import { messageRoles, systemEventKinds } from '../../entities/conversations/message.entity.ts';
import { inputKinds } from '../../core/flows/node-type.ts';
import { DateTime, Nullable, OneOf, Uuid } from '../http/schemas/schemas.ts';

const HEX = '[0-9a-fA-F]';

export const CitationRead = Type.Object(
  {
    index: Type.Integer({ description: 'The number that the text refers to, as in [1].' }),
    document_id: Uuid('The document that was cited.'),
    chunk_id: Uuid('The part of it that was cited.'),
    title: Type.String({ description: 'Title of the document.' }),
    source_url: Nullable(Type.String({ description: 'Where the document came from.' })),
    quote: Type.String({ description: 'The passage that was cited.' }),
  },
  { $id: 'Citation', description: 'A source of an answer.' },
);

const speakers = messageRoles.filter((role) => role !== 'system');

/** What a conversation is recognised by in a list. */
export const glimpseFields = {
  first_question: Nullable(
    Type.String({ description: 'What the visitor said first, its first 200 characters.' }),
  ),
  last_message: Nullable(Type.String({ description: 'What was said last, its first 200 characters.' })),
  last_message_role: Nullable(OneOf(speakers, { description: 'Who said that.' })),
};

const SystemEvent = Type.Object(
  {
    kind: OneOf(systemEventKinds, { description: 'What has happened.' }),
    requested_by: Type.Optional(
      OneOf(['visitor', 'flow'], { description: 'Who asked for a person (handoff_requested).' }),
    ),
    reason: Type.Optional(
      Nullable(Type.String({ description: 'What the visitor wants of a person (handoff_requested).' })),
    ),
    ended_by: Type.Optional(
      OneOf(['visitor', 'sweep'], {
        description: 'Whether the visitor ended it, or nobody had written for too long (ended).',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: 'Keys of the fields that were filled in (lead_captured).' }),
    ),
    consent: Type.Optional(
      OneOf(consentStates, { description: 'What the visitor says now (consent_changed).' }),
    ),
  },
  {
    description:
      'What a message of the role system tells of, for programs; its content says it for people. Null for other roles.',
  },
);

/** What a flow asks with a message. */
export const AskedInput = Nullable(
  Type.Object(
    {
      kind: OneOf(inputKinds, {
        description:
          'What it asks for; form: the bot’s lead form, which is sent by submitWidgetLead; booking: a time of listWidgetSlots, which createWidgetBooking books: the flow goes on by itself then.',
      }),
      options: Type.Array(
        Type.Object({
          id: Type.String({ description: 'What `option_id` says of it.' }),
          label: Type.String({ description: 'What the visitor reads.' }),
        }),
        { description: 'What there is to choose; none for what is typed.' },
      ),
    },
    { description: 'What a flow asks the visitor for at its end; null for all other messages.' },
  ),
);

const visible = {
  id: Uuid('The message’s id.'),
  role: OneOf(messageRoles, {
    description: 'Who said it; agent is a person of the team, and system tells what has happened.',
  }),
  content: Type.String({ description: 'What was said.' }),
  author_name: Nullable(
    Type.String({
      description: 'Who of the team wrote it, or is meant by it; visitors are told the first name.',
    }),
  ),
  event: Nullable(SystemEvent),
  citations: Nullable(Type.Array(CitationRead, { description: 'The sources of an answer.' })),
  input: AskedInput,
  is_error: Type.Boolean({ default: false, description: 'Whether the model failed to answer.' }),
  error_code: Nullable(Type.String({ description: 'What kind of failure it was.' })),
  created_at: DateTime('When it was said.'),
};

export const MessageRead = Type.Object(
  {
    ...visible,
    author_id: Nullable(Type.String({ description: 'Their user id; null once the account is deleted.' })),
    mailed_at: Nullable(
      DateTime('When a message of the team was mailed to the visitor, who had left; null if it was not.'),
    ),
    model: Nullable(Type.String({ description: 'The model that answered.' })),
    input_tokens: Nullable(Type.Integer({ description: 'Tokens that the model read.' })),
    output_tokens: Nullable(Type.Integer({ description: 'Tokens that it wrote.' })),
    cost_usd: Nullable(Type.Number({ description: 'What they cost; null if unknown.' })),
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
    before: Type.Optional(
      Type.String({
        pattern: `^(end|${HEX}{8}(-${HEX}{4}){3}-${HEX}{12})$`,
        description:
          'The last messages before this one instead of the first ones, or the last ones of all (end); still in order.',
        examples: ['end'],
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Messages at most.' }),
    ),
  },
  { additionalProperties: false },
);
