import { Type, type Static, type TOptional, type TSchema, type TUnsafe } from '@sinclair/typebox';
import { botStatuses, llmProviders } from '../../entities/bots/bot.entity.ts';
import type { BotChanges } from '../../services/bots/bots.service.ts';
import {
  DateTime,
  FreeForm,
  Nullable,
  OneOf,
  PageParameters,
  Strict,
  Uuid,
} from '../http/schemas/schemas.ts';
import {
  ContactFieldDef,
  CustomEndpointConfig,
  CustomEndpointConfigRead,
  DirectoryConfig,
  HandoffConfig,
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
  maxLength: 261,
  pattern:
    '^((\\*\\.)?([\\p{L}\\p{N}_-]+\\.)*[\\p{L}\\p{N}_-]+|\\[[0-9A-Fa-f:.]+\\])' +
    '(:([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d\\d|655[0-2]\\d|6553[0-5]))?$',
  examples: ['www.example.com', 'localhost:5173'],
});

/** What fields mean, in requests and in answers. */
const meaning = {
  name: 'What the bot is called.',
  description: 'For the team; visitors do not see it.',
  model: 'A model of the provider; null for its default.',
  system_prompt: 'What the bot is and how it speaks.',
  temperature: 'How freely the model words its answers.',
  max_tokens: 'Length of an answer at most, in tokens.',
  thinking_enabled: 'Whether a model that can do so thinks before it answers.',
  thinking_budget_tokens: 'Tokens that it may think with.',
  welcome_message: 'The first thing a visitor reads.',
  starter_questions: 'Questions that the widget offers to begin with.',
  fallback_message:
    'What the bot says when the documents have no answer; null, or nothing to be seen, for words of Parley’s in the visitor’s language.',
  strict_kb_mode: 'Answer from the documents or not at all.',
  language: 'A language tag, or auto for the visitor’s.',
  lead_capture_config: 'When the widget asks for contact details, and for which; see LeadCaptureConfig.',
  contact_fields_config: 'What the model extracts from conversations; see ContactFieldDef.',
  directory_config: 'A category and a choice that lead to a link; see DirectoryConfig.',
  widget_theme:
    'The widget’s looks; see WidgetTheme. A change merges its keys with those that there are, and those of dark_palette; null removes one.',
  allowed_domains:
    'Hosts the widget may run on, exact or *.host, on any port or on the one that is named; null for any, an empty list for none.',
  is_public: 'Whether the widget serves the bot at all.',
  rate_limit_per_minute: 'Visitors’ messages a minute.',
  monthly_message_cap: 'Answers in a calendar month (UTC); null for no cap.',
  handoff_enabled: 'Whether visitors can ask for a person.',
  handoff_config:
    'What visitors who ask for a person read, when people answer, and who is mailed; see HandoffConfig.',
} as const;

const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength, description })));

const keepsOnNull = 'Null keeps it.';

export const BotParams = Type.Object({ bot_id: Uuid('The bot.') });

const configuration = {
  name: Type.String({ minLength: 1, maxLength: 255, description: meaning.name, examples: ['Help desk'] }),
  description: optionalText(2000, meaning.description),
  llm_provider: Type.Optional(
    OneOf(llmProviders, { default: 'platform', description: Provider.description }),
  ),
  model: optionalText(128, meaning.model),
  api_key: optionalText(500, 'The workspace’s own key for byok; kept sealed, never read back.'),
  custom_endpoint_config: Type.Optional(Nullable(CustomEndpointConfig)),
  system_prompt: optionalText(20000, meaning.system_prompt),
  temperature: Type.Optional(
    Type.Number({ minimum: 0, maximum: 2, default: 0.7, description: meaning.temperature }),
  ),
  max_tokens: Type.Optional(
    Type.Integer({ minimum: 64, maximum: 32768, default: 1024, description: meaning.max_tokens }),
  ),
  thinking_enabled: Type.Optional(Type.Boolean({ default: false, description: meaning.thinking_enabled })),
  thinking_budget_tokens: Type.Optional(
    Type.Integer({
      minimum: 1024,
      maximum: 32000,
      default: 2048,
      description: meaning.thinking_budget_tokens,
    }),
  ),
  welcome_message: optionalText(1000, meaning.welcome_message),
  starter_questions: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      maxItems: 6,
      default: [],
      description: meaning.starter_questions,
    }),
  ),
  fallback_message: optionalText(1000, meaning.fallback_message),
  strict_kb_mode: Type.Optional(Type.Boolean({ default: false, description: meaning.strict_kb_mode })),
  language: Type.Optional(
    Type.String({ minLength: 1, maxLength: 16, default: 'auto', description: meaning.language }),
  ),
  lead_capture_config: Type.Optional(Nullable(LeadCaptureConfig)),
  contact_fields_config: Type.Optional(
    Type.Array(ContactFieldDef, { maxItems: 20, default: [], description: meaning.contact_fields_config }),
  ),
  directory_config: Type.Optional(Nullable(DirectoryConfig)),
  widget_theme: Type.Optional(WidgetTheme),
  allowed_domains: Type.Optional(
    Nullable(Type.Array(Host, { maxItems: 50, description: meaning.allowed_domains })),
  ),
  is_public: Type.Optional(Type.Boolean({ default: true, description: meaning.is_public })),
  rate_limit_per_minute: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 30, description: meaning.rate_limit_per_minute }),
  ),
  monthly_message_cap: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, maximum: 2147483647, description: meaning.monthly_message_cap })),
  ),
  handoff_enabled: Type.Optional(Type.Boolean({ default: false, description: meaning.handoff_enabled })),
  handoff_config: Type.Optional(Nullable(HandoffConfig)),
};

export const BotCreate = Strict(configuration, { $id: 'BotCreate', description: 'A new bot.' });
export type BotCreate = Static<typeof BotCreate>;

type Changes = {
  [K in keyof typeof configuration]: TOptional<TUnsafe<Static<(typeof configuration)[K]> | null>>;
};

/** The same fields, all optional, nullable and without defaults: an absent key keeps what is stored. */
const changes = Object.fromEntries(
  Object.entries(configuration).map(([name, schema]) => [name, Type.Optional(changeOf(name, schema))]),
) as Changes;

function changeOf(name: string, schema: TSchema): TSchema {
  const { default: fallback, ...rest } = schema as TSchema;
  if (Array.isArray(schema['type'])) return rest as TSchema;
  // What has a name is the same everywhere.
  if (schema.$id !== undefined) return Nullable(rest as TSchema);
  const nulled = name === 'name' ? keepsOnNull : `Null sets the default again: ${JSON.stringify(fallback)}.`;
  return Nullable({ ...rest, description: `${rest.description} ${nulled}` } as TSchema);
}

export const BotUpdate = Strict(
  {
    ...changes,
    status: Type.Optional(Nullable({ ...Status, description: `${Status.description} ${keepsOnNull}` })),
    rotate_identity_secret: Type.Optional(
      Nullable(
        Strict(
          {
            grace_hours: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: 24,
                default: 0,
                description: 'For how long tokens that are signed with the old secret are good as well.',
              }),
            ),
          },
          { description: 'Makes another secret for the identity tokens of visitors; `/embed` shows it.' },
        ),
      ),
    ),
  },
  {
    $id: 'BotUpdate',
    description:
      'The fields to change; null clears a field that may be empty, sets the default of another one, and keeps name and status.',
  },
);
export type BotUpdate = Static<typeof BotUpdate>;

/** They have neither an empty state nor a default. */
const KEPT_ON_NULL: ReadonlySet<string> = new Set(['name', 'status']);

/** The changes with defaults in the place of nulls that a bot cannot have. */
export function applicableChanges(body: BotUpdate): BotChanges {
  const fields = Object.entries(body)
    .filter(([name, value]) => value !== null || !KEPT_ON_NULL.has(name))
    .map(([name, value]) => {
      const { default: fallback } = (configuration as Record<string, TSchema | undefined>)[name] ?? {};
      return [name, value === null && fallback !== undefined ? structuredClone(fallback) : value];
    });
  return Object.fromEntries(fields) as BotChanges;
}

export const BotRead = Type.Object(
  {
    id: Uuid('The bot’s id.'),
    org_id: Uuid('The workspace that it belongs to.'),
    name: Type.String({ description: meaning.name }),
    description: Nullable(Type.String({ description: meaning.description })),
    status: Status,
    public_key: Type.String({
      description: 'Identifies the bot in the public widget.',
      examples: ['pk_9fK2mQ7xV1bN4tR8cW3z'],
    }),
    llm_provider: Provider,
    model: Nullable(Type.String({ description: meaning.model })),
    system_prompt: Type.String({ description: meaning.system_prompt }),
    temperature: Type.Number({ description: meaning.temperature }),
    max_tokens: Type.Integer({ description: meaning.max_tokens }),
    thinking_enabled: Type.Boolean({ description: meaning.thinking_enabled }),
    thinking_budget_tokens: Type.Integer({ description: meaning.thinking_budget_tokens }),
    welcome_message: Nullable(Type.String({ description: meaning.welcome_message })),
    starter_questions: Type.Array(Type.String(), { description: meaning.starter_questions }),
    fallback_message: Nullable(Type.String({ description: meaning.fallback_message })),
    strict_kb_mode: Type.Boolean({ description: meaning.strict_kb_mode }),
    language: Type.String({ description: meaning.language }),
    lead_capture_config: Nullable(FreeForm(meaning.lead_capture_config)),
    contact_fields_config: Type.Array(FreeForm(), { description: meaning.contact_fields_config }),
    directory_config: Nullable(FreeForm(meaning.directory_config)),
    widget_theme: FreeForm(meaning.widget_theme),
    allowed_domains: Nullable(Type.Array(Type.String(), { description: meaning.allowed_domains })),
    is_public: Type.Boolean({ description: meaning.is_public }),
    rate_limit_per_minute: Type.Integer({ description: meaning.rate_limit_per_minute }),
    monthly_message_cap: Nullable(Type.Integer({ description: meaning.monthly_message_cap })),
    handoff_enabled: Type.Boolean({ description: meaning.handoff_enabled }),
    handoff_config: Nullable(FreeForm(meaning.handoff_config)),
    last_error: Nullable(Type.String({ description: 'The last failure of the model, for the team.' })),
    total_conversations: Type.Integer({ description: 'Conversations that visitors have had with it.' }),
    total_messages: Type.Integer({ description: 'Messages in them, its own included.' }),
    indexed_chunk_count: Type.Integer({ description: 'Passages that its answers can be drawn from.' }),
    custom_endpoint_config: Nullable(CustomEndpointConfigRead),
    has_api_key: Type.Boolean({ default: false, description: 'Whether a key for byok is stored.' }),
    created_at: DateTime('When the bot was made.'),
    updated_at: DateTime('When its configuration was changed last.'),
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
    public_key: Type.String({ description: 'Identifies the bot in it.' }),
    allowed_domains: Nullable(Type.Array(Type.String(), { description: meaning.allowed_domains })),
    identity_secret: Nullable(
      Type.String({
        description:
          'Signs the identity tokens of the bot’s visitors, on your server only; null for callers who may not change the bot.',
        examples: ['idsec_Ql3mGk2Yb0m5o1s8a7ZpXr4tUv6wNcJd9eFhHiKyLbM'],
      }),
    ),
    former_identity_secret_until: Nullable(
      DateTime('Until when the secret before the last rotation is good as well; null where none is.'),
    ),
  },
  { $id: 'EmbedSnippetRead', description: 'How to put the widget on a page.' },
);

export const ModelDescriptor = Type.Object(
  {
    id: Type.String({ description: 'What a bot’s `model` names it by.', examples: ['gpt-4o-mini'] }),
    provider: Provider,
    name: Type.String({ description: 'Its name for people.' }),
    max_input_tokens: Nullable(Type.Integer({ description: 'What it can read at once; null if unknown.' })),
    max_output_tokens: Nullable(
      Type.Integer({ description: 'What it can answer at once; null if unknown.' }),
    ),
    supports_thinking: Type.Boolean({ description: 'Whether it can think before it answers.' }),
  },
  { $id: 'ModelDescriptor', description: 'A model that a bot can use.' },
);

export const ProviderTestResponse = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the model answered.' }),
    model: Nullable(Type.String({ description: 'The model that was called.' })),
    latency_ms: Nullable(Type.Integer({ description: 'How long the call took.' })),
    error: Nullable(Type.String({ description: 'Why the call failed.' })),
  },
  { $id: 'ProviderTestResponse', description: 'The outcome of one minimal model call.' },
);
