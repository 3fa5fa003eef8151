import { Type, type TSchema } from '@sinclair/typebox';
import { botStatuses, llmProviders, type Bot } from '../../entities/bots/bot.entity.ts';
import type { BotChanges } from '../../services/bots/bot-service.ts';
import { createFieldFactories, createResourceFactory } from '../http/schemas/resource.ts';
import {
  DateTime,
  FreeForm,
  Nullable,
  SingleLine,
  Strict,
  StringEnum,
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

const { storedField, inputField, convertedField, readOnlyField, computedField } = createFieldFactories<
  Bot,
  BotChanges
>();

export const allowedDomainsDescription =
  'Hosts that may embed the widget, exact or *.host, on any port or on a given port. Null allows all hosts; an empty list allows none. Emails with replies link only to pages of listed hosts.';

/** Fields of a bot in the API (docs/patterns.md#resources). */
export const bot = createResourceFactory<Bot, BotChanges>()(
  {
    id: readOnlyField('id', Uuid('The bot’s id.')),
    org_id: readOnlyField('orgId', Uuid('The workspace that the bot belongs to.')),
    name: storedField('name', {
      description: 'The bot’s name.',
      body: SingleLine({ minLength: 1, maxLength: 255, examples: ['Help desk'] }),
      read: Type.String(),
    }),
    description: storedField('description', {
      description: 'A description for the team; visitors do not see it.',
      body: optionalText(2000),
      read: Nullable(Type.String()),
    }),
    status: storedField('status', { on: 'update', body: Status, read: Status }),
    public_key: readOnlyField(
      'publicKey',
      Type.String({
        description: 'Identifies the bot in the public widget.',
        examples: ['pk_9fK2mQ7xV1bN4tR8cW3z'],
      }),
    ),
    llm_provider: storedField('llmProvider', {
      body: optional(StringEnum(llmProviders, { default: 'platform', description: Provider.description })),
      read: Provider,
    }),
    model: storedField('model', {
      description: 'A model of the provider; null for the provider’s default model.',
      body: optionalText(128),
      read: Nullable(Type.String()),
    }),
    api_key: inputField('apiKey', {
      description: 'The workspace’s own key for byok; stored encrypted and never returned.',
      body: optionalText(500),
    }),
    custom_endpoint_config: convertedField(
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
    system_prompt: storedField('systemPrompt', {
      description: 'Role and tone of the bot.',
      body: optionalText(20000),
      read: Type.String(),
    }),
    temperature: storedField('temperature', {
      description: 'The sampling temperature of the model.',
      body: optional(Type.Number({ minimum: 0, maximum: 2, default: 0.7 })),
      read: Type.Number(),
    }),
    max_tokens: storedField('maxTokens', {
      description: 'Maximum length of an answer in tokens.',
      body: optional(Type.Integer({ minimum: 64, maximum: 32768, default: 1024 })),
      read: Type.Integer(),
    }),
    thinking_enabled: storedField('thinkingEnabled', {
      description: 'Whether the model reasons before it answers, if the model supports reasoning.',
      body: flag(false),
      read: Type.Boolean(),
    }),
    thinking_budget_tokens: storedField('thinkingBudgetTokens', {
      description: 'Maximum number of tokens for reasoning.',
      body: optional(Type.Integer({ minimum: 1024, maximum: 32000, default: 2048 })),
      read: Type.Integer(),
    }),
    welcome_message: storedField('welcomeMessage', {
      description: 'The first message to visitors.',
      body: optionalText(1000),
      read: Nullable(Type.String()),
    }),
    starter_questions: storedField('starterQuestions', {
      description: 'Questions that the widget suggests at the start.',
      body: optional(Type.Array(SingleLine({ minLength: 1, maxLength: 500 }), { maxItems: 6, default: [] })),
      read: Type.Array(Type.String()),
    }),
    fallback_message: storedField('fallbackMessage', {
      description:
        'The bot’s reply if the documents have no answer; null or blank for Parley’s own text in the visitor’s language.',
      body: optionalText(1000),
      read: Nullable(Type.String()),
    }),
    strict_kb_mode: storedField('strictKbMode', {
      description: 'Whether the bot answers only from its documents.',
      body: flag(false),
      read: Type.Boolean(),
    }),
    language: storedField('language', {
      description: 'A language tag, or auto for the visitor’s language.',
      body: optional(Type.String({ minLength: 1, maxLength: 16, default: 'auto' })),
      read: Type.String(),
    }),
    lead_capture_config: storedField('leadCaptureConfig', {
      description: 'The contact details that the widget asks for, and when it asks; see LeadCaptureConfig.',
      body: optional(Nullable(LeadCaptureConfig)),
      read: Nullable(FreeForm()),
    }),
    contact_fields_config: storedField('contactFieldsConfig', {
      description: 'The fields that the model extracts from conversations; see ContactFieldDef.',
      body: optional(Type.Array(ContactFieldDef, { maxItems: 20, default: [] })),
      read: Type.Array(FreeForm()),
    }),
    directory_config: storedField('directoryConfig', {
      description: 'Choices grouped by category. Each choice opens a link; see DirectoryConfig.',
      body: optional(Nullable(DirectoryConfig)),
      read: Nullable(FreeForm()),
    }),
    widget_theme: storedField('widgetTheme', {
      description:
        'The widget’s appearance; see WidgetTheme. A change is merged with the stored keys, including those in dark_palette; null removes a key.',
      body: optional(WidgetTheme),
      read: FreeForm(),
    }),
    allowed_domains: storedField('allowedDomains', {
      description: allowedDomainsDescription,
      body: optional(Nullable(Type.Array(Host, { maxItems: 50 }))),
      read: Nullable(Type.Array(Type.String())),
    }),
    is_public: storedField('isPublic', {
      description: 'Whether the widget is enabled.',
      body: flag(true),
      read: Type.Boolean(),
    }),
    rate_limit_per_minute: storedField('rateLimitPerMinute', {
      description: 'Maximum number of visitors’ messages per minute.',
      body: optional(Type.Integer({ minimum: 1, maximum: 1000, default: 30 })),
      read: Type.Integer(),
    }),
    monthly_message_cap: storedField('monthlyMessageCap', {
      description: 'Maximum number of answers in a calendar month (UTC); null for no cap.',
      body: optional(Nullable(Type.Integer({ minimum: 0, maximum: 2147483647 }))),
      read: Nullable(Type.Integer()),
    }),
    handoff_enabled: storedField('handoffEnabled', {
      description: 'Whether visitors can ask for a person.',
      body: flag(false),
      read: Type.Boolean(),
    }),
    handoff_config: storedField('handoffConfig', {
      description:
        'Handoff settings: the team’s hours, the members to email, and the texts for visitors who ask for a person; see HandoffConfig.',
      body: optional(Nullable(HandoffConfig)),
      read: Nullable(FreeForm()),
    }),
    last_error: readOnlyField(
      'lastError',
      Nullable(
        Type.String({
          description:
            'The last failure of the model, or the field that the provider requires but that is not set. For the team.',
        }),
      ),
    ),
    total_conversations: readOnlyField(
      'totalConversations',
      Type.Integer({
        description:
          'Sessions with the bot, including those without a visitor message; the same count as `sessions` of getAnalyticsOverview.',
      }),
    ),
    total_messages: readOnlyField(
      'totalMessages',
      Type.Integer({
        description:
          'Messages from both sides in all sessions with the bot: the sum of the sessions’ message_count.',
      }),
    ),
    indexed_chunk_count: readOnlyField(
      'indexedChunkCount',
      Type.Integer({ description: 'Number of the bot’s indexed passages.' }),
    ),
    has_api_key: computedField(
      'sealedApiKey',
      Type.Boolean({ default: false, description: 'Whether a key for byok is stored.' }),
      ({ sealedApiKey }) => sealedApiKey !== null,
    ),
    rotate_identity_secret: inputField('rotateIdentitySecret', {
      on: 'update',
      body: Strict(
        {
          grace_hours: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 24,
              default: 0,
              description: 'Number of hours for which tokens signed with the old secret stay valid.',
            }),
          ),
        },
        { description: 'Creates a new secret for visitors’ identity tokens; `/embed` returns it.' },
      ),
    }),
    created_at: readOnlyField('createdAt', DateTime('Time at which the bot was created.')),
    updated_at: readOnlyField('updatedAt', DateTime('Time of the last change of the bot’s configuration.')),
  },
  {
    unchangedOnNull: ['name', 'status'],
    hidden: {
      sealedAuthHeaderValue: 'custom_endpoint_config shows whether a value is set.',
      identitySecretVersion: 'getBotEmbed returns the secret of this version.',
      formerIdentitySecretUntil: 'getBotEmbed returns when the previous secret expires.',
      activeFlowCount: 'listFlows returns the active flows.',
      deletedAt: 'Deleted bots are not returned.',
    },
  },
);
