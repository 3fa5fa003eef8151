import { Type, type Static } from '@sinclair/typebox';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { consentStates, conversationStatuses } from '../../entities/conversations/conversation.entity.ts';
import { DateTime, FreeForm, Nullable, StringEnum, Strict, Uuid } from '../http/schemas/schemas.ts';
import { closingReasons } from '../../services/conversations/live/session-streams.ts';
import { AskedInput, CitationRead, VisitorMessageRead } from '../conversations/messages.schemas.ts';

export const PublicBotParams = Type.Object({
  public_key: Type.String({
    maxLength: 100,
    description: 'The bot’s public_key.',
    examples: ['pk_9fK2mQ7xV1bN4tR8cW3z'],
  }),
});
export const SessionParams = Type.Object({ session_id: Uuid('The widget session.') });

export const WidgetConfig = Type.Object(
  {
    public_key: Type.String({ description: 'The bot’s public_key.' }),
    name: Type.String({ description: 'The bot’s name.' }),
    language: Type.String({ description: 'A language tag, or auto for the visitor’s language.' }),
    welcome_message: Nullable(Type.String({ description: 'The first message to show.' })),
    starter_questions: Type.Array(Type.String(), { description: 'Questions to suggest at the start.' }),
    theme: FreeForm('The widget’s appearance; see WidgetTheme.'),
    lead_capture: Nullable(
      FreeForm(
        'The lead form, see LeadCaptureConfig; null if the form is disabled. Select fields have the options of the contact field of their key.',
      ),
    ),
    directory: Nullable(
      Type.Object(
        {
          category_label: Type.String({ description: 'The label of the category.' }),
          choice_label: Type.String({ description: 'The label of the choice.' }),
          entries: Type.Array(
            Type.Object({
              category: Type.String({ description: 'The category; empty if choices have no category.' }),
              name: Type.String({ description: 'The choice.' }),
            }),
            { description: 'All choices; resolveWidgetDirectory returns the link of a choice.' },
          ),
        },
        { description: 'The choices for visitors; null if the directory is disabled.' },
      ),
    ),
    handoff_enabled: Type.Boolean({ description: 'Whether visitors can ask for a person.' }),
    opening: Nullable(
      Type.Object(
        {
          text: Type.String({ description: 'The bot’s text, in Markdown.' }),
          input: AskedInput,
        },
        {
          description:
            'The start of the bot’s active `conversation_started` flow, shown instead of the welcome message and not sent again. If the flow asks for input, the visitor’s first message is that input. Null if the bot has no such flow.',
        },
      ),
    ),
    booking: Nullable(
      Type.Object(
        {
          slot_minutes: Type.Integer({ description: 'Length of a meeting in minutes.' }),
          timezone: Type.String({ description: 'The calendar’s time zone.' }),
          horizon_days: Type.Integer({ description: 'Number of days ahead for which slots are offered.' }),
        },
        {
          description:
            'Present if visitors can book meetings; listWidgetSlots returns the times. Null if the workspace has no calendar, has paused it, or must reconnect it.',
        },
      ),
    ),
    team: Nullable(
      Type.Object(
        {
          is_open: Type.Boolean({
            description: 'Whether the team is available now, according to its opening hours.',
          }),
          opens_at: Nullable(
            DateTime(
              'Start of the next opening hours; null if the team is available now, or not available within a week.',
            ),
          ),
          reply_minutes: Nullable(
            Type.Integer({
              description:
                'How long visitors typically waited for the team in the last 30 days, rounded up to minutes such as 1, 5, 30, 60 or 1440. Null if fewer than five waited, or if they waited longer than a day.',
            }),
          ),
        },
        { description: 'Who answers visitors that ask for a person; null if the bot has no handoff.' },
      ),
    ),
  },
  { $id: 'WidgetConfig', description: 'The widget’s configuration, before the first message.' },
);
export type WidgetConfig = Static<typeof WidgetConfig>;

export const WidgetSessionCreate = Strict(
  {
    visitor_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'The page’s id for the visitor; defaults to the id of the visitor_secret, or to a new id. It does not authenticate the visitor.',
      }),
    ),
    visitor_secret: Type.Optional(
      Type.String({
        maxLength: 4096,
        description:
          'Proves that the browser had an earlier session, which returned this secret. The new session then belongs to the same visitor. Without the secret, the visitor is new, regardless of the visitor_id.',
      }),
    ),
    page_url: Type.Optional(
      Type.String({ maxLength: 2000, description: 'The page that the visitor is on.' }),
    ),
    referrer: Type.Optional(Type.String({ maxLength: 2000, description: 'The referrer of the page.' })),
    identity_token: Type.Optional(
      Type.String({
        maxLength: 4096,
        description:
          'Proves the visitor’s identity: a JWT valid for at most an hour, signed with HS256 and the bot’s identity_secret; claims sub, exp, and email if known.',
      }),
    ),
  },
  { $id: 'WidgetSessionCreate', description: 'A new session.' },
);

export const WidgetSessionCreated = Type.Object(
  {
    session_id: Uuid('The session’s id.'),
    visitor_id: Type.String({ description: 'The page’s id for the visitor, or the new id.' }),
    visitor_secret: Type.String({
      description:
        'Proves that later sessions belong to the same visitor. Store it in the browser, and send it when the visitor starts the next session.',
    }),
    visitor_token: Type.String({
      description: 'The session’s token. Send it as a Bearer token with every request of the session.',
    }),
    expires_in: Type.Integer({ description: 'Seconds without use after which the token expires.' }),
  },
  { $id: 'WidgetSessionCreated', description: 'A session and the credential for it.' },
);
export type WidgetSessionCreated = Static<typeof WidgetSessionCreated>;

const AgentName = Nullable(
  Type.String({ description: 'First name of the team member who handles the conversation.' }),
);

const HandoffNotice = Type.Object(
  {
    message: Nullable(Type.String({ description: 'The team’s text for visitors who ask for a person now.' })),
    is_open: Type.Boolean({ description: 'Whether people are available now.' }),
    opens_at: Nullable(DateTime('Time at which people are available again; null if they are available now.')),
    accepts_requests: Type.Boolean({ description: 'Whether a request is accepted now.' }),
  },
  {
    $id: 'HandoffNotice',
    description:
      'Texts and hours for visitors who ask for a person; absent if the bot has no handoff_config.',
  },
);
type HandoffNotice = Static<typeof HandoffNotice>;

const QueuePosition = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 100,
    description:
      'Position among the workspace’s visitors who wait for a person, from 1. Absent if the visitor is not waiting, if the team is outside opening hours, or if the position is above 100.',
  }),
);

export const WidgetSession = Type.Object(
  {
    session_id: Uuid('The session’s id.'),
    visitor_id: Type.String({ description: 'The visitor’s id, as given by the page.' }),
    status: StringEnum(conversationStatuses, { description: 'The state of the conversation.' }),
    handoff_enabled: Type.Boolean({ description: 'Whether the visitor can ask for a person.' }),
    agent_name: AgentName,
    lead_form_due: Type.Boolean({ description: 'Whether to ask for contact details now.' }),
    consent: StringEnum(consentStates, {
      description: 'The visitor’s choice whether contact details may be stored.',
    }),
    consent_at: Nullable(DateTime('Time of the visitor’s choice.')),
    message_count: Type.Integer({ description: 'Number of messages from both sides.' }),
    rating: Nullable(Type.Integer({ description: 'The visitor’s rating, 1 to 5.' })),
    attendee: Type.Optional(
      Type.Object(
        {
          name: Nullable(Type.String({ description: 'The name that the visitor has left in this session.' })),
          email: Nullable(
            Type.String({ description: 'The email address that the visitor has left in this session.' }),
          ),
          has_email: Type.Boolean({
            description: 'Whether the visitor’s email address is known, so that bookings may omit it.',
          }),
        },
        { description: 'Values to prefill a booking form; absent if unknown.' },
      ),
    ),
    handoff_notice: Type.Optional(HandoffNotice),
    queue_position: QueuePosition,
  },
  { $id: 'WidgetSession', description: 'The state that a page needs after it is reloaded.' },
);
export type WidgetSession = Static<typeof WidgetSession>;

export const LeadSubmission = Strict(
  {
    fields: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Values by the keys of the form’s fields: numbers for number fields, texts for others; null or blank for no value.',
      examples: [{ name: 'Ada Lovelace', email: 'ada@example.com' }],
    }),
  },
  { $id: 'LeadSubmission', description: 'The bot’s lead form, filled in.' },
);

export const ConsentSubmission = Strict(
  {
    consent: StringEnum(['granted', 'denied', 'withdrawn'], {
      description: 'The visitor’s choice; withdrawn revokes an earlier consent.',
    }),
  },
  { $id: 'ConsentSubmission', description: 'Whether contact details may be stored.' },
);

export const RatingSubmission = Strict(
  {
    rating: Type.Integer({
      minimum: 1,
      maximum: 5,
      description: 'Rating from 1 (bad) to 5 (good).',
      examples: [5],
    }),
  },
  { $id: 'RatingSubmission', description: 'The visitor’s rating of the conversation.' },
);

export const WidgetMessageCreate = Strict(
  {
    content: Type.String({
      minLength: 1,
      maxLength: MAX_MESSAGE_LENGTH,
      pattern: '\\S',
      description: 'The visitor’s message; must not be blank.',
      examples: ['What does a day pass cost?'],
    }),
    client_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'The page’s own id for the message. A repeated request with the same id returns the same answer, even while it is in progress.',
      }),
    ),
    option_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'The chosen option of the last message; `content` is its label. An unknown option counts as typed text.',
      }),
    ),
  },
  { $id: 'WidgetMessageCreate', description: 'A visitor’s message.' },
);

export const HandoffRequest = Strict(
  {
    reason: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description: 'The visitor’s request, for the team to read.',
          examples: ['I want to cancel an order.'],
        }),
      ),
    ),
  },
  { $id: 'HandoffRequest', description: 'A visitor’s request for a person.' },
);

/** Data of each event in the stream of an answer; the schema's title is the event's name. */
export const WidgetEvent = Type.Union(
  [
    Type.Object(
      { message_id: Uuid('The answer.'), reply_to_id: Uuid('The visitor’s message.') },
      { title: 'message.started', description: 'The message is stored and its answer begins.' },
    ),
    Type.Object(
      { text: Type.String({ description: 'The next piece of the answer.' }) },
      { title: 'delta', description: 'The next part of the answer.' },
    ),
    Type.Object(
      { citations: Type.Array(CitationRead, { description: 'The sources of the answer.' }) },
      { title: 'citations', description: 'The sources of the answer.' },
    ),
    Type.Object(
      {
        status: StringEnum(conversationStatuses, { description: 'The state of the conversation.' }),
        agent_name: AgentName,
        handoff_notice: Type.Optional(HandoffNotice),
        queue_position: QueuePosition,
      },
      {
        title: 'handoff',
        description: 'The bot does not answer, because a person was requested or has taken over.',
      },
    ),
    Type.Object(
      { message: VisitorMessageRead },
      {
        title: 'message',
        description:
          'A team member sent a message, a flow continued without an answer, or an event occurred (role `system`).',
      },
    ),
    Type.Object(
      {
        reason: StringEnum(closingReasons, {
          description:
            'too_many_streams: newer streams of the session replaced this one; bot_off: the bot is no longer active.',
        }),
      },
      {
        title: 'closed',
        description:
          'The last event of the stream; the conversation continues. Reconnect only when the visitor returns to the page.',
      },
    ),
    Type.Object(
      { ended_at: Nullable(DateTime('Time at which the conversation ended; null if it was deleted.')) },
      { title: 'ended', description: 'The conversation has ended. This is the last event of the stream.' },
    ),
    Type.Object(
      {
        code: Type.String({ description: 'The kind of failure.' }),
        message: Type.String({ description: 'A human-readable description.' }),
      },
      { title: 'error', description: 'The answer failed.' },
    ),
    Type.Object(
      { message: VisitorMessageRead },
      {
        title: 'done',
        description:
          'The complete answer, or the visitor’s message if there is no answer. This is the last event of the stream.',
      },
    ),
  ],
  { $id: 'WidgetEvent', description: 'The data of a server-sent event; `x-event` is the event’s name.' },
);
