import { Type, type Static } from '@sinclair/typebox';
import { consentStates, conversationStatuses } from '../../entities/conversation.entity.ts';
import { FreeForm, Nullable, OneOf, Strict, Uuid } from '../http/schemas.ts';
import { CitationRead, VisitorMessageRead } from '../conversations/messages.schemas.ts';

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
    public_key: Type.String(),
    name: Type.String(),
    language: Type.String(),
    welcome_message: Nullable(Type.String()),
    starter_questions: Type.Array(Type.String()),
    theme: FreeForm('See WidgetTheme.'),
    lead_capture: Nullable(FreeForm('See LeadCaptureConfig; null when it is off.')),
    directory: Nullable(FreeForm('See DirectoryConfig; null when it is off.')),
    handoff_enabled: Type.Boolean(),
  },
  { $id: 'WidgetConfig', description: 'What the widget shows before anybody has said anything.' },
);
export type WidgetConfig = Static<typeof WidgetConfig>;

export const WidgetSessionCreate = Strict(
  {
    visitor_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The page’s own id of the visitor; by default a new one.',
      }),
    ),
    page_url: Type.Optional(Type.String({ maxLength: 2000 })),
    referrer: Type.Optional(Type.String({ maxLength: 2000 })),
    identity_token: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: 'Proves who the visitor is, where the bot has a key for that.',
      }),
    ),
  },
  { $id: 'WidgetSessionCreate', description: 'A new session.' },
);

export const WidgetSessionCreated = Type.Object(
  {
    session_id: Uuid(),
    visitor_id: Type.String(),
    visitor_token: Type.String({ description: 'Send it as a Bearer token with every call of the session.' }),
    expires_in: Type.Integer({ description: 'Seconds after its last use at which the token ends.' }),
  },
  { $id: 'WidgetSessionCreated', description: 'A session and the credential for it.' },
);

export const WidgetSession = Type.Object(
  {
    session_id: Uuid(),
    visitor_id: Type.String(),
    status: OneOf(conversationStatuses),
    handoff_enabled: Type.Boolean(),
    agent_name: Nullable(Type.String({ description: 'Who of the team has the conversation.' })),
    lead_form_due: Type.Boolean(),
    consent: OneOf(consentStates),
    message_count: Type.Integer(),
    rating: Nullable(Type.Integer()),
  },
  { $id: 'WidgetSession', description: 'The state that a page needs when it is loaded again.' },
);
export type WidgetSession = Static<typeof WidgetSession>;

export const WidgetMessageCreate = Strict(
  {
    content: Type.String({
      minLength: 1,
      maxLength: 20000,
      pattern: '\\S',
      description: 'What the visitor says; not only white space.',
      examples: ['What does a day pass cost?'],
    }),
    client_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The page’s own id of the message: sent again, it finds the answer under way.',
      }),
    ),
  },
  { $id: 'WidgetMessageCreate', description: 'A visitor’s message.' },
);

/** The data of each event of a message stream, by the event's name. */
export const WidgetEvent = Type.Union(
  [
    Type.Object({ message_id: Uuid(), reply_to_id: Uuid() }, { title: 'message.started' }),
    Type.Object({ text: Type.String() }, { title: 'delta' }),
    Type.Object({ citations: Type.Array(CitationRead) }, { title: 'citations' }),
    Type.Object({ code: Type.String(), message: Type.String() }, { title: 'error' }),
    Type.Object({ message: VisitorMessageRead }, { title: 'done' }),
  ],
  { $id: 'WidgetEvent', description: 'The data of a server-sent event; its title is the event’s name.' },
);
