import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { botStatuses, llmProviders } from '../../entities/bot.entity.ts';
import { DateTime, FreeForm, Nullable, OneOf, PageParameters, Strict, Uuid } from '../http/schemas.ts';
import {
  ContactFieldDef,
  CustomEndpointConfig,
  CustomEndpointConfigRead,
  DirectoryConfig,
  LeadCaptureConfig,
  WidgetTheme,
} from './bots.config.schemas.ts';

const Status = OneOf(botStatuses, { description: 'draft → active ↔ paused; any → archived → draft.' });
const Provider = OneOf(llmProviders, {
  description:
    'platform: the installation’s model; byok: the workspace’s own key; custom: custom_endpoint_config.',
});
const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^(\\*\\.)?([\\p{L}\\p{N}_-]+\\.)*[\\p{L}\\p{N}_-]+$',
  examples: ['www.example.com'],
});
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength, description })));

export const BotParams = Type.Object({ bot_id: Uuid('The bot.') });

const configuration = {
  name: Type.String({ minLength: 1, maxLength: 255, examples: ['Help desk'] }),
  description: optionalText(2000, 'For the team; visitors do not see it.'),
  llm_provider: Type.Optional(
    OneOf(llmProviders, { default: 'platform', description: Provider.description }),
  ),
  model: optionalText(128, 'A model of the provider; null for its default.'),
  api_key: optionalText(500, 'The workspace’s own key for byok; kept sealed, never read back.'),
  custom_endpoint_config: Type.Optional(Nullable(CustomEndpointConfig)),
  system_prompt: optionalText(20000, 'What the bot is and how it speaks.'),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, default: 0.7 })),
  max_tokens: Type.Optional(Type.Integer({ minimum: 64, maximum: 32768, default: 1024 })),
  thinking_enabled: Type.Optional(Type.Boolean({ default: false })),
  thinking_budget_tokens: Type.Optional(Type.Integer({ minimum: 1024, maximum: 32000, default: 2048 })),
  welcome_message: optionalText(1000, 'The first thing a visitor reads.'),
  starter_questions: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 6, default: [] }),
  ),
  fallback_message: optionalText(1000, 'What the bot says when the documents have no answer.'),
  strict_kb_mode: Type.Optional(
    Type.Boolean({ default: false, description: 'Answer from the documents or not at all.' }),
  ),
  language: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 16,
      default: 'auto',
      description: 'A language tag, or auto for the visitor’s.',
    }),
  ),
  lead_capture_config: Type.Optional(Nullable(LeadCaptureConfig)),
  contact_fields_config: Type.Optional(Type.Array(ContactFieldDef, { maxItems: 20, default: [] })),
  directory_config: Type.Optional(Nullable(DirectoryConfig)),
  widget_theme: Type.Optional(WidgetTheme),
  allowed_domains: Type.Optional(
    Nullable(
      Type.Array(Host, {
        maxItems: 50,
        description: 'Hosts the widget may run on, exact or *.host; null for any, an empty list for none.',
      }),
    ),
  ),
  is_public: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether the widget serves the bot at all.' }),
  ),
  rate_limit_per_minute: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 30, description: 'Visitors’ messages a minute.' }),
  ),
  monthly_message_cap: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 2147483647,
        description: 'Answers in a calendar month (UTC); null for no cap.',
      }),
    ),
  ),
  handoff_enabled: Type.Optional(Type.Boolean({ default: false })),
  handoff_config: Type.Optional(Nullable(FreeForm('Settings of the handoff.'))),
};

export const BotCreate = Strict(configuration, { $id: 'BotCreate', description: 'A new bot.' });
export type BotCreate = Static<typeof BotCreate>;

/** The same fields, all optional and without defaults: an absent key keeps what is stored. */
const changes = Object.fromEntries(
  Object.entries(configuration).map(([name, schema]) => {
    const { default: _default, ...rest } = schema as TSchema;
    return [name, Type.Optional(rest as TSchema)];
  }),
) as { [K in keyof typeof configuration]: (typeof configuration)[K] };

export const BotUpdate = Strict(
  { ...changes, name: Type.Optional(changes.name), status: Type.Optional(Status) },
  { $id: 'BotUpdate', description: 'The fields to change; null clears a field that may be empty.' },
);
export type BotUpdate = Static<typeof BotUpdate>;

export const BotRead = Type.Object(
  {
    id: Uuid(),
    org_id: Uuid(),
    name: Type.String(),
    description: Nullable(Type.String()),
    status: Status,
    public_key: Type.String({
      description: 'Identifies the bot in the public widget.',
      examples: ['pk_9fK2mQ7xV1bN4tR8cW3z'],
    }),
    llm_provider: Provider,
    model: Nullable(Type.String()),
    system_prompt: Type.String(),
    temperature: Type.Number(),
    max_tokens: Type.Integer(),
    thinking_enabled: Type.Boolean(),
    thinking_budget_tokens: Type.Integer(),
    welcome_message: Nullable(Type.String()),
    starter_questions: Type.Array(Type.String()),
    fallback_message: Nullable(Type.String()),
    strict_kb_mode: Type.Boolean(),
    language: Type.String(),
    lead_capture_config: Nullable(FreeForm('See LeadCaptureConfig.')),
    contact_fields_config: Type.Array(FreeForm('See ContactFieldDef.')),
    directory_config: Nullable(FreeForm('See DirectoryConfig.')),
    widget_theme: FreeForm('See WidgetTheme.'),
    allowed_domains: Nullable(Type.Array(Type.String())),
    is_public: Type.Boolean(),
    rate_limit_per_minute: Type.Integer(),
    monthly_message_cap: Nullable(Type.Integer()),
    handoff_enabled: Type.Boolean(),
    handoff_config: Nullable(FreeForm('Settings of the handoff.')),
    last_error: Nullable(Type.String({ description: 'The last failure of the model, for the team.' })),
    total_conversations: Type.Integer(),
    total_messages: Type.Integer(),
    indexed_chunk_count: Type.Integer(),
    custom_endpoint_config: Nullable(CustomEndpointConfigRead),
    has_api_key: Type.Boolean({ default: false }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  { $id: 'BotRead', description: 'A bot with its configuration and counters.' },
);
export type BotRead = Static<typeof BotRead>;

export const BotListQuery = Type.Object(
  {
    ...PageParameters,
    status: Type.Optional(Status),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name.' })),
  },
  { additionalProperties: false },
);

export const EmbedSnippetRead = Type.Object(
  {
    snippet: Type.String({ description: 'Paste it before </body>.' }),
    public_key: Type.String(),
    allowed_domains: Nullable(Type.Array(Type.String())),
  },
  { $id: 'EmbedSnippetRead', description: 'How to put the widget on a page.' },
);

export const ModelDescriptor = Type.Object(
  {
    id: Type.String({ examples: ['gpt-4o-mini'] }),
    provider: Provider,
    name: Type.String(),
    max_input_tokens: Nullable(Type.Integer()),
    max_output_tokens: Nullable(Type.Integer()),
    supports_thinking: Type.Boolean(),
  },
  { $id: 'ModelDescriptor', description: 'A model that a bot can use.' },
);

export const ProviderTestResponse = Type.Object(
  {
    ok: Type.Boolean(),
    model: Nullable(Type.String()),
    latency_ms: Nullable(Type.Integer()),
    error: Nullable(Type.String({ description: 'Why the call failed.' })),
  },
  { $id: 'ProviderTestResponse', description: 'The outcome of one minimal model call.' },
);
