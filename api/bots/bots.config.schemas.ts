import { Type } from '@sinclair/typebox';
import { FreeForm, Nullable, OneOf, Strict } from '../http/schemas.ts';

const Key = Type.String({ minLength: 1, maxLength: 40, pattern: '^[a-z][a-z0-9_]*$', examples: ['company'] });
const Label = Type.String({ minLength: 1, maxLength: 100, examples: ['Company'] });
const FieldType = OneOf(['text', 'email', 'phone', 'select', 'number'], { default: 'text' });
const Colour = (example: string) => Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: [example] });

export const CustomEndpointConfig = Strict(
  {
    endpoint_url: Type.String({
      minLength: 8,
      maxLength: 1000,
      format: 'uri',
      description: 'Receives chat-completion requests; a public https address.',
      examples: ['https://models.example.com/v1/chat/completions'],
    }),
    auth_header_name: Type.Optional(
      Nullable(Type.String({ maxLength: 100, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$" })),
    ),
    auth_header_value: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2000,
          pattern: '^[\\x20-\\x7e]*$',
          description: 'Kept sealed, never read back.',
        }),
      ),
    ),
    model: Type.Optional(Nullable(Type.String({ maxLength: 128 }))),
    response_path: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 200,
          description: 'Where the answer stands, e.g. choices.0.message.content.',
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
    endpoint_url: Type.String(),
    auth_header_name: Nullable(Type.String()),
    has_auth_header_value: Type.Boolean(),
    model: Nullable(Type.String()),
    response_path: Nullable(Type.String()),
  },
  { $id: 'CustomEndpointConfigRead', description: 'The endpoint without the secret of its auth header.' },
);

const LeadCaptureField = Strict(
  {
    key: Key,
    label: Label,
    placeholder: Type.Optional(Nullable(Type.String({ maxLength: 120 }))),
    required: Type.Optional(Type.Boolean({ default: false })),
    type: Type.Optional(FieldType),
  },
  { $id: 'LeadCaptureField', description: 'A field of the lead form.' },
);

export const LeadCaptureConfig = Strict(
  {
    enabled: Type.Optional(Type.Boolean({ default: false })),
    fields: Type.Optional(Type.Array(LeadCaptureField, { maxItems: 10, default: [] })),
    intro: Type.Optional(Nullable(Type.String({ maxLength: 300 }))),
    title: Type.Optional(Nullable(Type.String({ maxLength: 120 }))),
    trigger: Type.Optional(OneOf(['before_chat', 'after_n_messages', 'manual'], { default: 'manual' })),
    trigger_value: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 50, default: 2 }))),
  },
  { $id: 'LeadCaptureConfig', description: 'When the widget asks for contact details, and for which.' },
);

export const ContactFieldDef = Strict(
  {
    key: Key,
    label: Label,
    options: Type.Optional(
      Nullable(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 30 })),
    ),
    type: Type.Optional(FieldType),
  },
  { $id: 'ContactFieldDef', description: 'A contact field that the model extracts from conversations.' },
);

const DirectoryEntry = Strict(
  {
    name: Type.String({ minLength: 1, maxLength: 150, examples: ['Dr. Rivera'] }),
    category: Type.Optional(Type.String({ maxLength: 100, default: '' })),
    link: Type.Optional(Type.String({ maxLength: 1000, default: '' })),
    metadata: Type.Optional(FreeForm('Anything worth keeping with the entry.')),
  },
  { $id: 'DirectoryEntry', description: 'A choice of the directory and its link.' },
);

export const DirectoryConfig = Strict(
  {
    category_field: Type.Optional(Type.String({ maxLength: 40, default: 'branch' })),
    category_label: Type.Optional(Type.String({ maxLength: 60, default: 'Location' })),
    choice_field: Type.Optional(Type.String({ maxLength: 40, default: 'preferred_specialist' })),
    choice_label: Type.Optional(Type.String({ maxLength: 60, default: 'Specialist' })),
    result_field: Type.Optional(Type.String({ maxLength: 40, default: 'booking_link' })),
    enabled: Type.Optional(Type.Boolean({ default: false })),
    entries: Type.Optional(Type.Array(DirectoryEntry, { maxItems: 500, default: [] })),
  },
  { $id: 'DirectoryConfig', description: 'A category and a choice that resolve to a link.' },
);

const Gradient = Strict(
  {
    from_color: Colour('#3b82f6'),
    to_color: Colour('#1e40af'),
    angle: Type.Optional(Type.Integer({ minimum: 0, maximum: 360, default: 135 })),
  },
  { $id: 'Gradient', description: 'A two-stop linear gradient for launcher and header.' },
);

const darkColours = [
  'border_color',
  'bot_bubble_bg',
  'bot_bubble_text',
  'messages_bg',
  'panel_bg',
  'primary_color',
  'user_bubble_text',
] as const;

export const DarkPalette = Type.Object(
  Object.fromEntries(darkColours.map((name) => [name, Type.Optional(Nullable(Colour('#111827')))])),
  {
    $id: 'DarkPalette',
    additionalProperties: true,
    description: 'Colours for visitors whose system is dark.',
  },
);

export const WidgetTheme = Type.Object(
  { gradient: Type.Optional(Nullable(Gradient)), dark_palette: Type.Optional(Nullable(DarkPalette)) },
  {
    $id: 'WidgetTheme',
    additionalProperties: true,
    description: 'The widget’s looks; further keys are kept as they are.',
  },
);
