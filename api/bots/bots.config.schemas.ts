import { Type, type Static, type TOptional, type TSchema } from '@sinclair/typebox';
import { weekdays } from '../../core/conversations/handoff-config.ts';
import { MAX_THEME_VALUES } from '../../services/bots/theme.ts';
import {
  FreeFormBody,
  MAX_VALUES_KEYWORD,
  Nullable,
  Open,
  SingleLine,
  Strict,
  StringEnum,
} from '../http/schemas/schemas.ts';

const Key = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[a-z][a-z0-9_]*$',
  description: 'The name of the field in stored data.',
  examples: ['company'],
});
const Label = SingleLine({
  minLength: 1,
  maxLength: 100,
  description: 'The display name of the field.',
  examples: ['Company'],
});
const FieldType = StringEnum(['text', 'email', 'phone', 'select', 'number'], {
  default: 'text',
  description: 'The field’s type.',
});
const Color = (description: string, example: string) =>
  Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description, examples: [example] });

export const CustomEndpointConfig = Strict(
  {
    endpoint_url: Type.String({
      minLength: 8,
      maxLength: 1000,
      format: 'uri',
      description: 'Public https URL that receives chat-completion requests.',
      examples: ['https://models.example.com/v1/chat/completions'],
    }),
    auth_header_name: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 100,
          pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$",
          description: 'The header that carries the credential, e.g. Authorization.',
        }),
      ),
    ),
    auth_header_value: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2000,
          pattern: '^[\\x20-\\x7e]*$',
          description:
            'The credential, which is stored encrypted and never returned. If omitted, the saved value is kept as long as the URL has the same origin. A trial uses the saved value only with the saved URL and header name; to try another URL or name, send the value again.',
        }),
      ),
    ),
    model: Type.Optional(
      Nullable(Type.String({ maxLength: 128, description: 'The value of `model` in requests.' })),
    ),
    response_path: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 200,
          description: 'Path to the answer in the response, e.g. choices.0.message.content.',
        }),
      ),
    ),
  },
  {
    $id: 'CustomEndpointConfig',
    description: 'An owner-supplied endpoint with a chat-completion interface.',
  },
);

export const CustomEndpointConfigRead = Type.Object(
  {
    endpoint_url: Type.String({ description: 'The URL for chat-completion requests.' }),
    auth_header_name: Nullable(Type.String({ description: 'The header that carries the credential.' })),
    has_auth_header_value: Type.Boolean({ description: 'Whether a credential is stored.' }),
    model: Nullable(Type.String({ description: 'The value of `model` in requests.' })),
    response_path: Nullable(Type.String({ description: 'Path to the answer in the response.' })),
  },
  { $id: 'CustomEndpointConfigRead', description: 'The endpoint without the secret of its auth header.' },
);

const LeadCaptureField = Strict(
  {
    key: Key,
    label: Label,
    placeholder: Type.Optional(
      Nullable(SingleLine({ maxLength: 120, description: 'Text shown while the field is empty.' })),
    ),
    required: Type.Optional(Type.Boolean({ default: false, description: 'Whether the field is required.' })),
    type: Type.Optional(FieldType),
  },
  { $id: 'LeadCaptureField', description: 'A field of the lead form.' },
);

export const LeadCaptureConfig = Strict(
  {
    enabled: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the widget asks for contact details.' }),
    ),
    fields: Type.Optional(
      Type.Array(LeadCaptureField, { maxItems: 10, default: [], description: 'The fields of the form.' }),
    ),
    intro: Type.Optional(
      Nullable(Type.String({ maxLength: 300, description: 'A sentence above the fields.' })),
    ),
    title: Type.Optional(Nullable(SingleLine({ maxLength: 120, description: 'The heading of the form.' }))),
    trigger: Type.Optional(
      StringEnum(['before_chat', 'after_n_messages', 'manual'], {
        default: 'manual',
        description: 'When the form appears. manual: when the page opens the form.',
      }),
    ),
    trigger_value: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 50,
          default: 2,
          description:
            'Number of messages that the visitor writes before the form appears, for after_n_messages.',
        }),
      ),
    ),
  },
  {
    $id: 'LeadCaptureConfig',
    description: 'The contact details that the widget asks for, and when it asks.',
  },
);

export const ContactFieldDef = Strict(
  {
    key: Key,
    label: Label,
    options: Type.Optional(
      Nullable(
        Type.Array(SingleLine({ minLength: 1, maxLength: 200 }), {
          maxItems: 30,
          description: 'The options of a select field.',
        }),
      ),
    ),
    type: Type.Optional(FieldType),
  },
  { $id: 'ContactFieldDef', description: 'A contact field that the model extracts from conversations.' },
);

const DirectoryEntry = Strict(
  {
    name: SingleLine({
      minLength: 1,
      maxLength: 150,
      description: 'The choice, as shown to visitors.',
      examples: ['Dr. Rivera'],
    }),
    category: Type.Optional(
      SingleLine({ maxLength: 100, default: '', description: 'The category of the choice.' }),
    ),
    link: Type.Optional(
      Type.String({
        maxLength: 1000,
        default: '',
        description: 'The link of the choice: http, https, mailto or tel. Empty for no link.',
        examples: ['https://book.example.com/rivera'],
      }),
    ),
    metadata: Type.Optional(FreeFormBody('Additional data of the entry.')),
  },
  { $id: 'DirectoryEntry', description: 'A choice in the directory, and its link.' },
);

const fieldName = (name: string, description: string) =>
  Type.Optional(SingleLine({ maxLength: 40, default: name, description }));
const fieldLabel = (label: string, description: string) =>
  Type.Optional(SingleLine({ maxLength: 60, default: label, description }));

export const DirectoryConfig = Strict(
  {
    category_field: fieldName('branch', 'The contact field that stores the category.'),
    category_label: fieldLabel('Location', 'The label of the category.'),
    choice_field: fieldName('preferred_specialist', 'The contact field that stores the choice.'),
    choice_label: fieldLabel('Specialist', 'The label of the choice.'),
    result_field: fieldName('booking_link', 'The contact field that stores the link.'),
    enabled: Type.Optional(Type.Boolean({ default: false, description: 'Whether the directory is shown.' })),
    entries: Type.Optional(
      Type.Array(DirectoryEntry, { maxItems: 500, default: [], description: 'All choices.' }),
    ),
  },
  { $id: 'DirectoryConfig', description: 'Choices grouped by category. Each choice opens a link.' },
);

const ClockTime = (pattern: string, description: string, example: string) =>
  Type.String({ pattern, description, examples: [example] });

const HandoffPeriod = Strict(
  {
    days: Type.Array(StringEnum(weekdays, { description: 'A day of the week.' }), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: 'The days with these hours.',
      examples: [['monday', 'tuesday']],
    }),
    opens: ClockTime('^([01][0-9]|2[0-3]):[0-5][0-9]$', 'Start time.', '09:00'),
    closes: ClockTime(
      '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
      'End, later than the start; 24:00 for the end of the day.',
      '17:00',
    ),
  },
  { $id: 'HandoffPeriod', description: 'The same hours on several days of the week.' },
);

const HandoffHours = Strict(
  {
    timezone: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The IANA time zone of the hours.',
      examples: ['Europe/Berlin'],
    }),
    periods: Type.Array(HandoffPeriod, {
      minItems: 1,
      maxItems: 28,
      description: 'The hours at which people answer.',
    }),
  },
  { $id: 'HandoffHours', description: 'The hours at which people answer visitors.' },
);

const visitorText = (description: string, example: string) =>
  Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 500, description, examples: [example] })));

export const HandoffConfig = Open(
  {
    waiting_message: visitorText(
      'Text shown to visitors while they wait for a person.',
      'We answer within ten minutes.',
    ),
    closed_message: visitorText(
      'Text shown to visitors who ask for a person outside the opening hours. The widget adds when people are available again, and whether the request is accepted.',
      'Our office is closed.',
    ),
    hours: Type.Optional(Nullable(HandoffHours)),
    accepts_when_closed: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether a request outside the hours is queued. If false, the request is refused and the bot continues.',
      }),
    ),
    notify: Type.Optional(
      Nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 320 }), {
          maxItems: 50,
          description:
            'Members to email when a visitor waits, by user_id or email address; they must be allowed to answer visitors. If null, or if none of them is left, all members who may answer get the email; an empty list sends no email.',
          examples: [['ana@example.com']],
        }),
      ),
    ),
  },
  { $id: 'HandoffConfig', description: 'How visitors are handed over to people.' },
);

const Gradient = Strict(
  {
    from_color: Color('The start color of the gradient.', '#3b82f6'),
    to_color: Color('The end color of the gradient.', '#1e40af'),
    angle: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 360,
        default: 135,
        description: 'Direction of the gradient in degrees.',
      }),
    ),
  },
  { $id: 'Gradient', description: 'A two-stop linear gradient for launcher and header.' },
);

/** Names and descriptions of the colors in a widget theme and in its dark palette. */
const colors = {
  primary_color: 'Launcher, buttons and the visitor’s bubbles.',
  user_bubble_text: 'Text of the visitor’s messages.',
  bot_bubble_bg: 'Background of the bot’s messages.',
  bot_bubble_text: 'Text of the bot’s messages.',
  messages_bg: 'Background of the conversation.',
  panel_bg: 'Background of header and input.',
  border_color: 'Borders.',
} as const;

export type WidgetColor = keyof typeof colors;

const buildColorFields = <S extends TSchema>(createColor: (description: string) => S) =>
  Object.fromEntries(
    Object.entries(colors).map(([name, description]) => [name, Type.Optional(createColor(description))]),
  ) as unknown as { [N in WidgetColor]: TOptional<S> };

const DarkPalette = Type.Object(
  buildColorFields((description) => Nullable(Color(description, '#111827'))),
  {
    $id: 'DarkPalette',
    additionalProperties: true,
    description: 'Colors in dark mode, which `color_scheme` turns on.',
  },
);

/** Declares a theme field of any type, which is stored as sent. The widget ignores invalid values. */
const declareUncheckedField = (description: string, example: unknown) =>
  Type.Optional(Type.Unknown({ description, examples: [example] }));

export const WidgetTheme = Type.Object(
  {
    gradient: Type.Optional(Nullable(Gradient)),
    dark_palette: Type.Optional(Nullable(DarkPalette)),
    ...buildColorFields((description) =>
      Type.Unknown({ description: `${description} A color as #rrggbb.`, examples: ['#2563eb'] }),
    ),
    color_scheme: declareUncheckedField(
      'Color scheme that visitors see: light (the default), dark, or auto for the scheme of the visitor’s system.',
      'auto',
    ),
    position: declareUncheckedField(
      'The side of the page on which the launcher appears: left or right.',
      'right',
    ),
    launcher: declareUncheckedField(
      'The launcher: `label`, a text of at most 40 characters beside its icon; `hidden`, whether to hide the launcher so that only the page can open the chat; `offset_x` and `offset_y`, the launcher’s distances from the page’s edges in pixels, 0 to 400.',
      { label: 'Ask us', offset_y: 80 },
    ),
    panel: declareUncheckedField(
      'The panel’s `width`, 280 to 800 pixels, and `height`, 320 to 1,200 pixels.',
      { width: 420, height: 700 },
    ),
    greetings: declareUncheckedField(
      'At most 10 texts beside the launcher; the first text that matches the page is shown once. Each has `text`, `pages` with patterns such as /pricing*, and `after_seconds`, the delay in seconds, 0 to 3,600.',
      [{ text: 'Questions about our prices?', pages: ['/pricing*'], after_seconds: 10 }],
    ),
    files: declareUncheckedField(
      'Files that visitors may send: images, documents or all. With any other value, or no value, visitors cannot send files.',
      'all',
    ),
    avatar_url: declareUncheckedField(
      'An image of the bot; uploadBotAvatar sets it.',
      'https://example.com/bot.png',
    ),
  },
  {
    $id: 'WidgetTheme',
    additionalProperties: true,
    [MAX_VALUES_KEYWORD]: MAX_THEME_VALUES,
    description: `The widget’s appearance. Invalid values of these fields are stored but ignored; further keys are stored unchanged. At most ${MAX_THEME_VALUES} values in all.`,
  },
);
/** The declared fields of a widget theme. Other fields are stored but not used. */
export type WidgetTheme = Static<typeof WidgetTheme>;
