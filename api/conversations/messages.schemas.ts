import { Type, type Static } from '@sinclair/typebox';
import { thumbs } from '../../entities/conversations/answer-rating.entity.ts';
import { consentStates } from '../../entities/conversations/conversation.entity.ts';
import { messageRoles, systemEventKinds } from '../../entities/conversations/message.entity.ts';
import { inputKinds } from '../../core/flows/node-type.ts';
import { DateTime, Nullable, StringEnum, Uuid } from '../http/schemas/schemas.ts';

const HEX = '[0-9a-fA-F]';

export const CitationRead = Type.Object(
  {
    index: Type.Integer({ description: 'The number by which the text refers to the source, as in [1].' }),
    document_id: Uuid('The document that was cited.'),
    chunk_id: Uuid('The cited part of the document.'),
    title: Type.String({ description: 'Title of the document.' }),
    source_url: Nullable(Type.String({ description: 'The document’s source.' })),
    quote: Type.String({ description: 'The passage that was cited.' }),
  },
  { $id: 'Citation', description: 'A source of an answer.' },
);

const speakers = messageRoles.filter((role) => role !== 'system');

/** Fields that summarize a conversation in a list, so that people recognize the conversation. */
export const previewFields = {
  first_question: Nullable(
    Type.String({ description: 'The first 200 characters of the visitor’s first message.' }),
  ),
  last_visitor_message: Nullable(
    Type.String({ description: 'The first 200 characters of the visitor’s last message.' }),
  ),
  last_message: Nullable(Type.String({ description: 'The first 200 characters of the last message.' })),
  last_message_role: Nullable(
    StringEnum(speakers, { description: 'The role of the last message’s author.' }),
  ),
};

const SystemEvent = Type.Object(
  {
    kind: StringEnum(systemEventKinds, { description: 'The kind of event.' }),
    requested_by: Type.Optional(
      StringEnum(['visitor', 'flow'], {
        description: 'The side that asked for a person (handoff_requested).',
      }),
    ),
    reason: Type.Optional(
      Nullable(Type.String({ description: 'The visitor’s request to the team (handoff_requested).' })),
    ),
    ended_by: Type.Optional(
      StringEnum(['visitor', 'sweep'], {
        description: 'Whether the visitor ended the conversation, or it was inactive for too long (ended).',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: 'Keys of the fields that were filled in (lead_captured).' }),
    ),
    consent: Type.Optional(
      StringEnum(consentStates, { description: 'The visitor’s new choice (consent_changed).' }),
    ),
  },
  {
    description:
      'The event of a system message, for programs; `content` describes it for people. Null for other roles.',
  },
);

/** The input that a flow asks the visitor for. */
export const AskedInput = Nullable(
  Type.Object(
    {
      kind: StringEnum(inputKinds, {
        description:
          'The kind of input. form: the bot’s lead form, sent with submitWidgetLead. booking: a slot from listWidgetSlots, booked with createWidgetBooking; the flow then continues automatically.',
      }),
      options: Type.Array(
        Type.Object({
          id: Type.String({ description: 'The value for `option_id`.' }),
          label: Type.String({ description: 'The label shown to the visitor.' }),
        }),
        { description: 'The options; empty for typed input.' },
      ),
    },
    { description: 'The input that a flow asks for at the end of the message; null for other messages.' },
  ),
);

const visible = {
  id: Uuid('The message’s id.'),
  role: StringEnum(messageRoles, {
    description: 'The author’s role: agent is a member of the team, and system reports an event.',
  }),
  content: Type.String({ description: 'The text of the message.' }),
  author_name: Nullable(
    Type.String({
      description:
        'The team member who wrote the message, or to whom it refers; visitors see only the first name.',
    }),
  ),
  event: Nullable(SystemEvent),
  citations: Nullable(Type.Array(CitationRead, { description: 'The sources of an answer.' })),
  input: AskedInput,
  is_error: Type.Boolean({ default: false, description: 'Whether the model failed to answer.' }),
  error_code: Nullable(Type.String({ description: 'The kind of failure.' })),
  stopped_at: Type.Optional(
    DateTime(
      'Time at which the visitor stopped the answer, whose text may be incomplete or empty; absent for other messages.',
    ),
  ),
  created_at: DateTime('Time of the message.'),
};

export const MessageRead = Type.Object(
  {
    ...visible,
    author_id: Nullable(
      Type.String({ description: 'User id of the author; null once the account is deleted.' }),
    ),
    mailed_at: Nullable(
      DateTime(
        'Time at which a team message was emailed to a visitor who had left; null if it was not emailed.',
      ),
    ),
    model: Nullable(Type.String({ description: 'The model that answered.' })),
    input_tokens: Nullable(Type.Integer({ description: 'Input tokens read by the model.' })),
    output_tokens: Nullable(Type.Integer({ description: 'Output tokens generated by the model.' })),
    cost_usd: Nullable(Type.Number({ description: 'Cost of the tokens; null if unknown.' })),
    latency_ms: Nullable(Type.Integer({ description: 'Time from the question to the complete answer.' })),
    ttft_ms: Nullable(Type.Integer({ description: 'Time from the question to the first text.' })),
  },
  { $id: 'MessageRead', description: 'A turn of a conversation.' },
);
export type MessageRead = Static<typeof MessageRead>;

export const VisitorMessageRead = Type.Object(
  {
    ...visible,
    rating: Type.Optional(
      StringEnum(thumbs, {
        description: 'The visitor’s rating of the answer, in `listWidgetMessages`; absent if there is none.',
      }),
    ),
  },
  {
    $id: 'VisitorMessageRead',
    description: 'A turn as the visitor sees it: without model, tokens and cost.',
  },
);
export type VisitorMessageRead = Static<typeof VisitorMessageRead>;

export const MessageRangeQuery = Type.Object(
  {
    after: Type.Optional(Uuid('Only messages after this id.')),
    before: Type.Optional(
      Type.String({
        pattern: `^(end|${HEX}{8}(-${HEX}{4}){3}-${HEX}{12})$`,
        description:
          'Return the last messages before this id instead of the first messages; `end` returns the last messages of the conversation. Messages are always in chronological order.',
        examples: ['end', '0198c2f0-7b1e-7c3a-9d0e-3f5a6b7c8d9e'],
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        default: 100,
        description:
          'Maximum number of messages. A page of long messages has fewer. If more messages follow, the header `Link` contains the URL of the next page (`rel="next"`).',
      }),
    ),
  },
  { additionalProperties: false },
);
