import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { messageRoles } from '../../entities/conversations/message.entity.ts';

const NullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const Text = (description: string) => Type.String({ description });
const Id = (description: string) => Type.String({ format: 'uuid', description });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const TestMark = Type.Optional(
  Type.Boolean({
    description: 'True in events that testWebhook sends, and in their replays; absent from real events.',
  }),
);

function defineEnum<const V extends readonly string[]>(values: V, description: string) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], description });
}

function defineObject<P extends Record<string, TSchema>>(properties: P, description?: string): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...(description && { description }) });
}

const BotId = Id('The bot.');
const ConversationId = Id('The conversation.');
const ContactId = Id('The contact.');

const conversation = {
  conversation_id: ConversationId,
  bot_id: BotId,
  visitor_id: Text('The visitor’s id, from the widget or from your identity token.'),
  page_url: NullableText('The page on which the conversation began; null if unknown.'),
};

const document = {
  document_id: Id('The document.'),
  bot_id: BotId,
  title: Text('Title of the document.'),
  source_type: Text('Kind of the document’s source: `file`, `text` or `url`.'),
  source_url: NullableText('The URL from which the document was read; null if it has none.'),
};

const Citation = defineObject(
  {
    index: Type.Integer({ minimum: 1, description: 'Number of the citation in the text.' }),
    document_id: Id('The cited document.'),
    chunk_id: Id('The cited passage.'),
    title: Text('The title of the document.'),
    source_url: NullableText('The URL from which the document was read; null if it has none.'),
    quote: Text('The sentence that supports the answer.'),
  },
  'A passage that supports the answer.',
);

/** Schema of the `data` of each webhook event, as services publish it. */
const eventSchemas = {
  'conversation.started': defineObject({
    ...conversation,
    started_at: Time('Time at which the conversation began.'),
  }),
  'conversation.ended': defineObject({
    ...conversation,
    ended_at: Time('Time at which the conversation ended.'),
    message_count: Count('Number of messages in the conversation.'),
    ended_by: defineEnum(
      ['visitor', 'sweep'],
      'Whether the visitor or the sweep of idle conversations ended the conversation.',
    ),
  }),
  'message.created': defineObject({
    message_id: Id('The message.'),
    conversation_id: ConversationId,
    bot_id: BotId,
    role: defineEnum(messageRoles, 'The author’s role.'),
    content: Text('Text of the message.'),
    citations: Type.Array(Citation, { description: 'Passages that support the answer.' }),
    is_error: Type.Boolean({ description: 'Whether the answer is an apology for a failure.' }),
    created_at: Time('Time at which the message was written.'),
  }),
  'lead.captured': defineObject({
    conversation_id: ConversationId,
    bot_id: BotId,
    contact_id: ContactId,
    fields: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The values of the form’s fields, by the keys of the fields.',
    }),
  }),
  'contact.updated': defineObject({
    contact_id: ContactId,
    bot_id: BotId,
    changed: Type.Array(Type.String(), { description: 'Keys of the fields that changed.' }),
    values: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The new values of the changed fields.',
    }),
    merged_contact_id: Type.Optional(Id('The contact that was merged into this one and no longer exists.')),
  }),
  'document.indexed': defineObject({
    ...document,
    chunk_count: Count('Number of passages in the document.'),
    token_count: Count('Number of tokens in all passages.'),
  }),
  'document.failed': defineObject({
    ...document,
    reason: Text('Reason why the document could not be indexed.'),
  }),
  'handoff.requested': defineObject({
    conversation_id: ConversationId,
    bot_id: BotId,
    reason: NullableText('Reason why the visitor wants a person; null if unknown.'),
    requested_by: defineEnum(
      ['visitor', 'flow'],
      'Whether the visitor or a step of a flow requested the handoff.',
    ),
  }),
} as const;

export type EventName = keyof typeof eventSchemas;
export type EventData = { [E in EventName]: Static<(typeof eventSchemas)[E]> };

/** Fields that Parley adds to the `data` of every webhook delivery. */
export interface EventStamp {
  event_id: string;
  occurred_at: string;
  /** True for the sample event of a test delivery. */
  test?: true;
}

/** Names of the webhook events, in the order of the catalog. */
export const eventNames = Object.keys(eventSchemas) as EventName[];

/** Returns true if webhook endpoints can receive the event; false if only alerts report it. */
export function isWebhookEvent(name: string): name is EventName {
  return Object.hasOwn(eventSchemas, name);
}

/** Returns the schema of the request body that webhook endpoints receive for an event. */
function buildDeliveryBodySchema(event: EventName): TObject {
  const stamp = {
    event_id: Id('Id of the event; the same in all its deliveries.'),
    occurred_at: Time('Time of the event.'),
    test: TestMark,
  };
  return defineObject({
    event: Type.Literal(event, { description: 'The name of the event.' }),
    data: defineObject({ ...eventSchemas[event].properties, ...stamp }, 'The data of the event.'),
  });
}

interface EventDescription<E extends EventName> {
  description: string;
  /**
   * Time at which an event is sent to webhook endpoints. `immediate` events are sent at once. `batched`
   * events are collected, and each endpoint gets them every two seconds.
   */
  delivery: 'immediate' | 'batched';
  /**
   * True if the event's data contains the text or contact details of a person; ids do not count. Parley
   * encrypts such data if the workspace encrypts content.
   */
  holdsContent: boolean;
  sample: EventData[E];
}

const SAMPLE_BOT = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';
const SAMPLE_CONVERSATION = '0199a1b2-8d4e-7f50-9b6c-7d8e9f0a1b2c';
const SAMPLE_DOCUMENT = '0199a1b2-9e5f-7061-8c7d-8e9f0a1b2c3d';
const SAMPLE_CONTACT = '0199a1b2-af60-7172-9d8e-9f0a1b2c3d4e';
const SAMPLE_TIME = '2026-09-03T10:15:30.000Z';

const sampleConversation = {
  conversation_id: SAMPLE_CONVERSATION,
  bot_id: SAMPLE_BOT,
  visitor_id: 'v_7Q2mB4xK9d',
  page_url: 'https://www.example.com/pricing',
};

const sampleDocument = {
  document_id: SAMPLE_DOCUMENT,
  bot_id: SAMPLE_BOT,
  title: 'Delivery terms',
  source_type: 'url',
  source_url: 'https://www.example.com/delivery',
};

const descriptions: { [E in EventName]: EventDescription<E> } = {
  'conversation.started': {
    description: 'A visitor opened a session with a bot.',
    delivery: 'immediate',
    holdsContent: false,
    sample: { ...sampleConversation, started_at: SAMPLE_TIME },
  },
  'conversation.ended': {
    description:
      'A session closed: the visitor ended it, or it had been idle for too long (30 minutes by default).',
    delivery: 'immediate',
    holdsContent: false,
    sample: { ...sampleConversation, ended_at: SAMPLE_TIME, message_count: 6, ended_by: 'visitor' },
  },
  'message.created': {
    description: 'A message was written. This event occurs very often.',
    delivery: 'batched',
    holdsContent: true,
    sample: {
      message_id: '0199a1b2-b071-7283-8e9f-0a1b2c3d4e5f',
      conversation_id: SAMPLE_CONVERSATION,
      bot_id: SAMPLE_BOT,
      role: 'assistant',
      content: 'Delivery takes two working days [1].',
      citations: [
        {
          index: 1,
          document_id: SAMPLE_DOCUMENT,
          chunk_id: '0199a1b2-c182-7394-9fa0-1b2c3d4e5f60',
          title: sampleDocument.title,
          source_url: sampleDocument.source_url,
          quote: 'Orders arrive within two working days.',
        },
      ],
      is_error: false,
      created_at: SAMPLE_TIME,
    },
  },
  'lead.captured': {
    description:
      'A visitor filled in the form, or left an email address or a phone number for the first time in a conversation.',
    delivery: 'immediate',
    holdsContent: true,
    sample: {
      conversation_id: SAMPLE_CONVERSATION,
      bot_id: SAMPLE_BOT,
      contact_id: SAMPLE_CONTACT,
      fields: { name: 'Ada Lovelace', email: 'ada@example.com' },
    },
  },
  'contact.updated': {
    description: 'Details of a known contact changed, or another contact was merged into it.',
    delivery: 'immediate',
    holdsContent: true,
    sample: {
      contact_id: SAMPLE_CONTACT,
      bot_id: SAMPLE_BOT,
      changed: ['email'],
      values: { email: 'ada@example.org' },
    },
  },
  'document.indexed': {
    description: 'A document of the knowledge base was indexed. Bots can now answer from it.',
    delivery: 'immediate',
    holdsContent: false,
    sample: { ...sampleDocument, chunk_count: 12, token_count: 4210 },
  },
  'document.failed': {
    description: 'A document could not be indexed, for the given reason.',
    delivery: 'immediate',
    holdsContent: false,
    sample: { ...sampleDocument, reason: 'www.example.com answered 404.' },
  },
  'handoff.requested': {
    description: 'A visitor asked for a person, or a flow requested a handoff.',
    delivery: 'immediate',
    holdsContent: true,
    sample: {
      conversation_id: SAMPLE_CONVERSATION,
      bot_id: SAMPLE_BOT,
      reason: 'The visitor wants to cancel an order.',
      requested_by: 'visitor',
    },
  },
};

export interface EventDescriptor {
  name: EventName;
  description: string;
  delivery: 'immediate' | 'batched';
  /** Example of the complete request body that webhook endpoints receive. */
  example: { event: EventName; data: Record<string, unknown> };
  /** JSON Schema of the complete request body that webhook endpoints receive. */
  schema: TObject;
}

/** Events to which webhook endpoints can subscribe. */
export const eventCatalog: readonly EventDescriptor[] = eventNames.map((name) => {
  const { description, delivery, sample } = descriptions[name];
  const stamp: EventStamp = {
    event_id: '0199a1b2-d293-74a5-8fb1-2c3d4e5f6071',
    occurred_at: SAMPLE_TIME,
  };
  return {
    name,
    description,
    delivery,
    example: { event: name, data: { ...sample, ...stamp } },
    schema: buildDeliveryBodySchema(name),
  };
});

/** Returns the sample `data` of a webhook event in this catalog, with the given stamp. */
export function toSampleData(event: EventName, stamp: EventStamp): Record<string, unknown> {
  return { ...descriptions[event].sample, ...stamp };
}

/** Names of the events whose data is encrypted if the workspace encrypts content. */
export const contentEvents: ReadonlySet<string> = new Set(
  eventNames.filter((name) => descriptions[name].holdsContent),
);

export const batchedEvents: readonly EventName[] = eventCatalog
  .filter(({ delivery }) => delivery === 'batched')
  .map(({ name }) => name);
