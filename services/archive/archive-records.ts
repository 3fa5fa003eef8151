import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { MAX_ANSWER_LENGTH } from '../../core/answers/max-answer-length.ts';
import type { Citation } from '../../core/conversations/citation.ts';
import { inputKinds, type RequestedInput } from '../../core/flows/node-type.ts';
import {
  consentStates,
  conversationStatuses,
  sentiments,
  type LeadDetails,
} from '../../entities/conversations/conversation.entity.ts';
import {
  messageRoles,
  systemEventKinds,
  type SystemEvent,
} from '../../entities/conversations/message.entity.ts';

const Id = Type.String({ format: 'uuid' });
/**
 * Schema of an ISO 8601 timestamp in an archive. A timestamp with another offset is converted to UTC when the
 * record is read.
 */
const Time = Type.String({ format: 'date-time', isReadAsUtc: true });
/** Schema of a count in an archive: an integer from 0 to the maximum of PostgreSQL's `integer`. */
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
const Dollars = Type.Number({ minimum: 0, maximum: 99_999_999 });
/**
 * Maximum lengths of the lists in an archive's record. Parley exports no longer lists, and parsing longer
 * lists would block the event loop.
 */
export const MAX_ITEMS = {
  fields: 4000,
  removedFields: 500,
  eventFields: 500,
  options: 500,
  citations: 1000,
  mergedIds: 1000,
  /** A contact gets more than its 20 tags by merging other contacts. */
  tags: 200,
};
const Fields = Type.Unsafe<Record<string, unknown>>({ type: 'object', maxProperties: MAX_ITEMS.fields });
const Details = Type.Unsafe<LeadDetails>({
  type: 'object',
  additionalProperties: false,
  properties: {
    name: Type.String(),
    email: Type.String(),
    phone: Type.String(),
    country: Type.String(),
    custom_fields: Fields,
    fields: Fields,
  } satisfies Record<keyof LeadDetails, TSchema>,
});
const textUpTo = (maxLength: number) => Type.String({ maxLength });
/**
 * Schema of a name, title or label in an archive. Control characters and direction overrides are replaced
 * when the record is read.
 */
const nameUpTo = (maxLength: number, minLength = 0) =>
  Type.String({ minLength, maxLength, isReadAsLine: true });
const createEnum = <const V extends readonly string[]>(values: V) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values] });

/** Makes a field of an archive's record optional and nullable. A null and a missing field mean the same. */
const Maybe = <T extends TSchema>(schema: T) =>
  Type.Optional(
    Type.Unsafe<Static<T> | null>({
      ...schema,
      type: [(schema as { type?: unknown }).type, 'null'],
      ...('enum' in schema && { enum: [...(schema['enum'] as unknown[]), null] }),
    }),
  );
const Line = <P extends { [key: string]: TSchema }>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

export const BotRecord = Line({
  id: Id,
  name: nameUpTo(255, 1),
  description: Maybe(textUpTo(2000)),
  language: Type.Optional(textUpTo(16)),
  created_at: Type.Optional(Time),
});
export type BotRecord = Static<typeof BotRecord>;

export const ContactRecord = Line({
  id: Id,
  bot_id: Id,
  visitor_id: textUpTo(128),
  browser_id: Id,
  identity: Maybe(Type.String({ minLength: 1, maxLength: 255 })),
  name: Maybe(nameUpTo(1000)),
  email: Maybe(textUpTo(1000)),
  email_verified: Type.Optional(Type.Boolean()),
  phone: Maybe(textUpTo(1000)),
  country: Maybe(textUpTo(2)),
  custom_fields: Type.Optional(Fields),
  tags: Type.Optional(Type.Array(nameUpTo(100), { maxItems: MAX_ITEMS.tags })),
  removed_fields: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_ITEMS.removedFields })),
  is_lead: Type.Optional(Type.Boolean()),
  first_seen_at: Time,
  created_at: Type.Optional(Time),
  merged_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_ITEMS.mergedIds })),
});
export type ContactRecord = Static<typeof ContactRecord>;

const HandoffRecord = Line({ requested_at: Time, answered_at: Maybe(Time) });
export type HandoffRecord = Static<typeof HandoffRecord>;

export const ConversationRecord = Line({
  type: Type.Literal('conversation'),
  id: Id,
  bot_id: Id,
  visitor_id: textUpTo(128),
  browser_id: Id,
  contact_id: Maybe(Id),
  is_vouched_for: Type.Optional(Type.Boolean()),
  country: Maybe(textUpTo(2)),
  status: Type.Optional(createEnum(conversationStatuses)),
  consent: Type.Optional(createEnum(consentStates)),
  consent_at: Maybe(Time),
  custom_fields: Type.Optional(Fields),
  is_lead: Type.Optional(Type.Boolean()),
  lead_details: Type.Optional(Details),
  is_resolved: Type.Optional(Type.Boolean()),
  had_handoff: Type.Optional(Type.Boolean()),
  page_url: Maybe(textUpTo(2000)),
  referrer: Maybe(textUpTo(2000)),
  rating: Maybe(Type.Integer({ minimum: 1, maximum: 5 })),
  sentiment: Maybe(createEnum(sentiments)),
  summary: Maybe(textUpTo(10_000)),
  title: Maybe(nameUpTo(1000)),
  total_cost_usd: Type.Optional(Dollars),
  total_input_tokens: Type.Optional(Count),
  total_output_tokens: Type.Optional(Count),
  created_at: Time,
  last_message_at: Type.Optional(Time),
  visitor_seen_at: Type.Optional(Time),
  ended_at: Maybe(Time),
  reopened_at: Maybe(Time),
  handoffs: Type.Optional(Type.Array(HandoffRecord, { maxItems: 1000 })),
});
export type ConversationRecord = Static<typeof ConversationRecord>;

const CitationRecord = Line({
  index: Type.Integer(),
  document_id: Id,
  chunk_id: Id,
  title: Type.String({ isReadAsLine: true }),
  source_url: Maybe(Type.String()),
  quote: Type.String(),
} satisfies Record<keyof Citation, TSchema>);

type KeyOfEach<U> = U extends unknown ? keyof U : never;

/** Names of the data fields in a system event of a conversation, by the event's kind. */
const eventFields: Partial<Record<SystemEvent['kind'], readonly string[]>> = {
  handoff_requested: ['requested_by'],
  ended: ['ended_by'],
  lead_captured: ['fields'],
  consent_changed: ['consent'],
};

const SystemEventRecord = Type.Unsafe<SystemEvent>({
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  properties: {
    kind: { type: 'string', enum: systemEventKinds },
    requested_by: { type: 'string', enum: ['visitor', 'flow'] },
    ended_by: { type: 'string', enum: ['visitor', 'sweep'] },
    fields: { type: 'array', items: { type: 'string' }, maxItems: MAX_ITEMS.eventFields },
    consent: { type: 'string', enum: consentStates },
  } satisfies Record<KeyOfEach<SystemEvent>, object>,
  anyOf: systemEventKinds.map((kind) => ({
    properties: { kind: { const: kind } },
    required: eventFields[kind] ?? [],
  })),
});

const AskedInputRecord = Type.Unsafe<RequestedInput>(
  Line({
    kind: createEnum(inputKinds),
    options: Type.Array(Line({ id: Type.String(), label: Type.String() }), { maxItems: MAX_ITEMS.options }),
  } satisfies Record<keyof RequestedInput, TSchema>),
);

export const MessageRecord = Line({
  type: Type.Literal('message'),
  id: Id,
  conversation_id: Id,
  role: createEnum(messageRoles),
  content: textUpTo(MAX_ANSWER_LENGTH),
  created_at: Time,
  reply_to_id: Maybe(Id),
  author_id: Maybe(Id),
  author_name: Maybe(textUpTo(255)),
  event: Maybe(SystemEventRecord),
  option_id: Maybe(textUpTo(200)),
  input: Maybe(AskedInputRecord),
  citations: Maybe(Type.Array(CitationRecord, { maxItems: MAX_ITEMS.citations })),
  model: Maybe(textUpTo(200)),
  input_tokens: Maybe(Count),
  output_tokens: Maybe(Count),
  cost_usd: Maybe(Dollars),
  latency_ms: Maybe(Count),
  ttft_ms: Maybe(Count),
  mailed_at: Maybe(Time),
  stopped_at: Maybe(Time),
  is_error: Type.Optional(Type.Boolean()),
  is_unanswered: Type.Optional(Type.Boolean()),
  error_code: Maybe(textUpTo(100)),
});
export type MessageRecord = Static<typeof MessageRecord>;
