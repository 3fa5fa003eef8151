import { Type, type TSchema } from '@sinclair/typebox';
import { botStatuses, llmProviders, type Bot } from '../../entities/bots/bot.entity.ts';
import type { BotChanges } from '../../services/bots/bot-service.ts';
import { createFieldFactories, createResourceFactory } from '../http/schemas/resource.ts';
import { DateTime, FreeForm, Nullable, StringEnum, Strict, Uuid } from '../http/schemas/schemas.ts';
import {
  ContactFieldDef,
  CustomEndpointConfig,
  CustomEndpointConfigRead,
  DirectoryConfig,
  HandoffConfig,
  LeadCaptureConfig,
  WidgetTheme,
} from './bots.config.schemas.ts';

export const Status = StringEnum(botStatuses, {
  description: 'draft → active ↔ paused; any → archived → draft.',
});
export const Provider = StringEnum(llmProviders, {
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

const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
const optionalText = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));
const flag = (initially: boolean) => Type.Optional(Type.Boolean({ default: initially }));

const { stored, given, translated, shown, derived } = createFieldFactories<Bot, BotChanges>();

export const allowedDomainsMean =
  'Hosts that may embed the widget, exact or *.host, on any port or on a given one. Null allows all, an empty list none.';

/** Fields of a bot in the API (docs/patterns.md#resources). */
export const bot = createResourceFactory<Bot, BotChanges>()(
  {
    id: shown('id', Uuid('The bot’s id.')),
    org_id: shown('orgId', Uuid('The workspace that it belongs to.')),
    name: stored('name', {
      means: 'The bot’s name.',
      body: Type.String({ minLength: 1, maxLength: 255, examples: ['Help desk'] }),
      read: Type.String(),
    }),
    description: stored('description', {
      means: 'A description for the team; visitors do not see it.',
      body: optionalText(2000),
      read: Nullable(Type.String()),
    }),
    status: stored('status', { on: 'update', body: Status, read: Status }),
    public_key: shown(
      'publicKey',
      Type.String({
        description: 'Identifies the bot in the public widget.',
        examples: ['pk_9fK2mQ7xV1bN4tR8cW3z'],
      }),
    ),
    llm_provider: stored('llmProvider', {
      body: optional(StringEnum(llmProviders, { default: 'platform', description: Provider.description })),
      read: Provider,
    }),
    model: stored('model', {
      means: 'A model of the provider; null for its default.',
      body: optionalText(128),
      read: Nullable(Type.String()),
    }),
    api_key: given('apiKey', {
      means: 'The workspace’s own key for byok; stored encrypted, never returned.',
      body: optionalText(500),
    }),
    custom_endpoint_config: translated(
      'customEndpoint',
      'customEndpointConfig',
      { body: optional(Nullable(CustomEndpointConfig)), read: Nullable(CustomEndpointConfigRead) },
      ({ customEndpointConfig, sealedAuthHeaderValue }) =>
        customEndpointConfig && {
          ...customEndpointConfig,
          has_auth_header_value: sealedAuthHeaderValue !== null,
        },
      ({ customEndpointConfig }) => customEndpointConfig,
    ),
    system_prompt: stored('systemPrompt', {
      means: 'Role and tone of the bot.',
      body: optionalText(20000),
      read: Type.String(),
    }),
    temperature: stored('temperature', {
      means: 'The sampling temperature of the model.',
      body: optional(Type.Number({ minimum: 0, maximum: 2, default: 0.7 })),
      read: Type.Number(),
    }),
    max_tokens: stored('maxTokens', {
      means: 'Maximum length of an answer in tokens.',
      body: optional(Type.Integer({ minimum: 64, maximum: 32768, default: 1024 })),
      read: Type.Integer(),
    }),
    thinking_enabled: stored('thinkingEnabled', {
      means: 'Whether a model that supports it reasons before it answers.',
      body: flag(false),
      read: Type.Boolean(),
    }),
    thinking_budget_tokens: stored('thinkingBudgetTokens', {
      means: 'Maximum number of tokens for reasoning.',
      body: optional(Type.Integer({ minimum: 1024, maximum: 32000, default: 2048 })),
      read: Type.Integer(),
    }),
    welcome_message: stored('welcomeMessage', {
      means: 'The first message to visitors.',
      body: optionalText(1000),
      read: Nullable(Type.String()),
    }),
    starter_questions: stored('starterQuestions', {
      means: 'Questions that the widget suggests at the start.',
      body: optional(Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 6, default: [] })),
      read: Type.Array(Type.String()),
    }),
    fallback_message: stored('fallbackMessage', {
      means:
        'The bot’s reply if the documents have no answer; null or blank for Parley’s own text in the visitor’s language.',
      body: optionalText(1000),
      read: Nullable(Type.String()),
    }),
    strict_kb_mode: stored('strictKbMode', {
      means: 'Whether the bot answers only from its documents.',
      body: flag(false),
      read: Type.Boolean(),
    }),
    language: stored('language', {
      means: 'A language tag, or auto for the visitor’s language.',
      body: optional(Type.String({ minLength: 1, maxLength: 16, default: 'auto' })),
      read: Type.String(),
    }),
    lead_capture_config: stored('leadCaptureConfig', {
      means: 'When the widget asks for contact details, and for which ones; see LeadCaptureConfig.',
      body: optional(Nullable(LeadCaptureConfig)),
      read: Nullable(FreeForm()),
    }),
    contact_fields_config: stored('contactFieldsConfig', {
      means: 'The fields that the model extracts from conversations; see ContactFieldDef.',
      body: optional(Type.Array(ContactFieldDef, { maxItems: 20, default: [] })),
      read: Type.Array(FreeForm()),
    }),
    directory_config: stored('directoryConfig', {
      means: 'A category and a choice that lead to a link; see DirectoryConfig.',
      body: optional(Nullable(DirectoryConfig)),
      read: Nullable(FreeForm()),
    }),
    widget_theme: stored('widgetTheme', {
      means:
        'The widget’s appearance; see WidgetTheme. A change is merged into the stored keys, and into those of dark_palette; null removes a key.',
      body: optional(WidgetTheme),
      read: FreeForm(),
    }),
    allowed_domains: stored('allowedDomains', {
      means: allowedDomainsMean,
      body: optional(Nullable(Type.Array(Host, { maxItems: 50 }))),
      read: Nullable(Type.Array(Type.String())),
    }),
    is_public: stored('isPublic', {
      means: 'Whether the widget is enabled.',
      body: flag(true),
      read: Type.Boolean(),
    }),
    rate_limit_per_minute: stored('rateLimitPerMinute', {
      means: 'Maximum number of visitors’ messages per minute.',
      body: optional(Type.Integer({ minimum: 1, maximum: 1000, default: 30 })),
      read: Type.Integer(),
    }),
    monthly_message_cap: stored('monthlyMessageCap', {
      means: 'Maximum number of answers in a calendar month (UTC); null for no cap.',
      body: optional(Nullable(Type.Integer({ minimum: 0, maximum: 2147483647 }))),
      read: Nullable(Type.Integer()),
    }),
    handoff_enabled: stored('handoffEnabled', {
      means: 'Whether visitors can ask for a person.',
      body: flag(false),
      read: Type.Boolean(),
    }),
    handoff_config: stored('handoffConfig', {
      means:
        'Texts for visitors who ask for a person, the hours of the team, and the members to mail; see HandoffConfig.',
      body: optional(Nullable(HandoffConfig)),
      read: Nullable(FreeForm()),
    }),
    last_error: shown(
      'lastError',
      Nullable(Type.String({ description: 'The last failure of the model, for the team.' })),
    ),
    total_conversations: shown(
      'totalConversations',
      Type.Integer({
        description:
          'Sessions with the bot, including those without a visitor message: `sessions` of getAnalyticsOverview.',
      }),
    ),
    total_messages: shown(
      'totalMessages',
      Type.Integer({
        description: 'Messages from both sides in these sessions: the sum of their message_count.',
      }),
    ),
    indexed_chunk_count: shown(
      'indexedChunkCount',
      Type.Integer({ description: 'Number of its indexed passages.' }),
    ),
    has_api_key: derived(
      'sealedApiKey',
      Type.Boolean({ default: false, description: 'Whether a key for byok is stored.' }),
      ({ sealedApiKey }) => sealedApiKey !== null,
    ),
    rotate_identity_secret: given('rotateIdentitySecret', {
      on: 'update',
      body: Strict(
        {
          grace_hours: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 24,
              default: 0,
              description: 'How long tokens signed with the old secret stay valid.',
            }),
          ),
        },
        { description: 'Creates a new secret for visitors’ identity tokens; `/embed` returns it.' },
      ),
    }),
    created_at: shown('createdAt', DateTime('Time at which the bot was created.')),
    updated_at: shown('updatedAt', DateTime('Time of the last change of its configuration.')),
  },
  {
    keptOnNull: ['name', 'status'],
    hidden: {
      sealedAuthHeaderValue: 'custom_endpoint_config tells whether there is one.',
      identitySecretVersion: 'The secret that it stands for is a part of the embed snippet.',
      formerIdentitySecretUntil: 'The same.',
      activeFlowCount: 'listFlows tells which they are.',
      deletedAt: 'What is deleted is not shown.',
    },
  },
);
