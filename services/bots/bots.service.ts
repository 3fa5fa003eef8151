import { normalisedDomain } from '../conversations/allowed-domains.ts';
import { randomInt } from 'node:crypto';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { isVisible } from '../../core/text/visible-text.ts';
import type { Bot, BotStatus, CustomEndpointConfig } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { containing } from '../../database/containing.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import { purgeBotWorkflowId } from '../../workflows/shared/commands.ts';
import { sealedPlaces } from '../conversations/answering/bot-model.ts';
import { requireLanguage } from './bot-language.ts';
import { checkHandoffConfig } from './handoff-settings.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';

interface EndpointInput {
  endpoint_url: string;
  auth_header_name?: string | null;
  auth_header_value?: string | null;
  model?: string | null;
  response_path?: string | null;
}

/** Fields that are stored as they come, and the columns that they are stored in. */
const columnOf = {
  name: 'name',
  status: 'status',
  description: 'description',
  llm_provider: 'llmProvider',
  model: 'model',
  temperature: 'temperature',
  max_tokens: 'maxTokens',
  thinking_enabled: 'thinkingEnabled',
  thinking_budget_tokens: 'thinkingBudgetTokens',
  welcome_message: 'welcomeMessage',
  starter_questions: 'starterQuestions',
  fallback_message: 'fallbackMessage',
  strict_kb_mode: 'strictKbMode',
  language: 'language',
  lead_capture_config: 'leadCaptureConfig',
  contact_fields_config: 'contactFieldsConfig',
  directory_config: 'directoryConfig',
  is_public: 'isPublic',
  rate_limit_per_minute: 'rateLimitPerMinute',
  monthly_message_cap: 'monthlyMessageCap',
  handoff_enabled: 'handoffEnabled',
  handoff_config: 'handoffConfig',
} as const satisfies Record<string, keyof Bot>;

type PlainChanges = { [F in keyof typeof columnOf]?: Bot[(typeof columnOf)[F]] };

/** Fields of a bot as the API names them; a present key is applied, null clears. */
export interface BotChanges extends PlainChanges {
  system_prompt?: string | null;
  api_key?: string | null;
  allowed_domains?: string[] | null;
  custom_endpoint_config?: EndpointInput | null;
  widget_theme?: Theme | null;
  rotate_identity_secret?: { grace_hours?: number } | null;
}

type Theme = Record<string, unknown>;

const transitions: Record<BotStatus, readonly BotStatus[]> = {
  draft: ['active', 'archived'],
  active: ['paused', 'archived'],
  paused: ['active', 'archived'],
  archived: ['draft'],
};

const PUBLIC_KEY_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface BotServiceDeps {
  /** Sends secrets by https alone, but to addresses that the operator allowed. */
  secretOutbound: OutboundClient;
  bots: BotRepository;
  outbox: OutboxService;
  keyring: Keyring;
  outbound: OutboundClient;
  clock: Clock;
  members: MemberRepository;
  /** Of a `widget_theme` as JSON. */
  themeMaxBytes: number;
}

export class BotService {
  readonly #deps: BotServiceDeps;

  constructor(deps: BotServiceDeps) {
    this.#deps = deps;
  }

  list(
    scope: OrgScope,
    { status, q, ...page }: PageQuery & { status?: BotStatus; q?: string },
  ): Promise<Page<Bot>> {
    const query = this.#deps.bots.query(scope);
    if (status) query.andWhere('row.status = :status', { status });
    if (q) query.andWhere('row.name ILIKE :text', { text: containing(q) });
    return readPage(query, page, this.#deps.keyring);
  }

  get(scope: OrgScope, botId: string): Promise<Bot> {
    return this.#deps.bots.get(scope, botId);
  }

  /** The bot that the widget shows under this key; without one the newest that it shows of the first workspace. */
  shown(db: Database, publicKey: string | null): Promise<Bot | null> {
    const { bots } = this.#deps;
    return publicKey === null ? bots.findNewestShown(db) : bots.findPublic(db, publicKey);
  }

  /** What a workspace's server signs the identity tokens of the bot's visitors with. */
  identitySecret({ id, identitySecretVersion }: Bot): string {
    return this.#deps.keyring.identitySecret(id, identitySecretVersion);
  }

  /** Until when the secret before that one is good as well; null where none is. */
  formerSecretUntil({ formerIdentitySecretUntil: until }: Bot): Date | null {
    return until && until > this.#deps.clock.now() ? until : null;
  }

  /** @throws AppError `url_refused` when a custom endpoint's address may not be contacted */
  async checkEndpoint(changes: BotChanges): Promise<void> {
    const endpoint = changes.custom_endpoint_config;
    if (!endpoint) return;
    const { outbound, secretOutbound } = this.#deps;
    await (endpoint.auth_header_value ? secretOutbound : outbound).checkUrl(endpoint.endpoint_url);
  }

  async create(scope: OrgScope, input: BotChanges): Promise<Bot> {
    const { bots, clock } = this.#deps;
    requireLanguage(input.language, 'language');
    await this.#checkHandoff(scope, input);
    const id = newId();
    const now = clock.now();
    const columns = { ...this.#columns(id, input), id, publicKey: newPublicKey() };
    return bots.insertLast(scope, { ...columns, createdAt: now, updatedAt: now });
  }

  /** @throws AppError `conflict` for a status that cannot follow the present one */
  async update(scope: OrgScope, botId: string, changes: BotChanges): Promise<Bot> {
    const bot = await this.#deps.bots.getForUpdate(scope, botId);
    if (
      changes.status &&
      changes.status !== bot.status &&
      !transitions[bot.status].includes(changes.status)
    ) {
      throw new AppError('conflict', `A bot that is ${bot.status} cannot become ${changes.status}.`);
    }
    requireLanguage(changes.language, 'language');
    await this.#checkHandoff(scope, changes);
    await this.#deps.bots.update(scope, botId, {
      ...this.#columns(botId, changes, bot),
      updatedAt: () => 'now()',
    });
    return this.#deps.bots.get(scope, botId);
  }

  async #checkHandoff(scope: OrgScope, { handoff_config: config }: BotChanges): Promise<void> {
    if (config) await checkHandoffConfig(this.#deps.members, scope, config);
  }

  /** Hides the bot at once; the workflow `purgeBot` removes what belongs to it. */
  async delete(scope: OrgScope, botId: string): Promise<void> {
    await this.#deps.bots.getForUpdate(scope, botId);
    await this.#deps.bots.update(scope, botId, { deletedAt: () => 'now()', status: 'archived' });
    await this.#deps.outbox.command(scope, {
      workflow: 'purgeBot',
      action: 'start',
      workflowId: purgeBotWorkflowId(botId),
      args: [{ orgId: scope.orgId, botId }],
      summary: 'Remove everything of a deleted bot',
    });
  }

  /** The bot with unsaved changes applied, as the playground tries them. */
  async preview(scope: OrgScope, botId: string, changes: BotChanges): Promise<Bot> {
    const bot = await this.#deps.bots.get(scope, botId);
    return { ...bot, ...this.#columns(botId, changes, bot) };
  }

  #columns(id: string, changes: BotChanges, present?: Bot): Partial<Bot> {
    const {
      system_prompt: prompt,
      fallback_message: fallback,
      api_key: apiKey,
      allowed_domains: domains,
    } = changes;
    const {
      custom_endpoint_config: endpoint,
      widget_theme: theme,
      rotate_identity_secret: rotation,
    } = changes;
    return {
      ...plainColumns(changes),
      ...(prompt !== undefined && { systemPrompt: prompt ?? '' }),
      ...(fallback !== undefined && { fallbackMessage: isVisible(fallback ?? '') ? fallback : null }),
      ...(domains !== undefined && { allowedDomains: domains && domains.map(normalisedDomain) }),
      ...(apiKey !== undefined && {
        sealedApiKey: apiKey ? this.#deps.keyring.seal(apiKey, sealedPlaces.apiKey(id)) : null,
      }),
      ...(theme !== undefined && { widgetTheme: this.#changedTheme(present?.widgetTheme ?? {}, theme) }),
      ...(rotation &&
        present &&
        rotatedIdentitySecret(present, this.#deps.clock.now(), rotation.grace_hours ?? 0)),
      ...(endpoint !== undefined && this.#endpointColumns(id, endpoint, present)),
    };
  }

  /** Bounded as a whole: what each change adds is bounded by its body, and changes by nothing. */
  #changedTheme(present: Theme, changes: Theme | null): Theme {
    const { themeMaxBytes } = this.#deps;
    const theme = mergedTheme(present, changes);
    if (Buffer.byteLength(JSON.stringify(theme)) <= themeMaxBytes) return theme;
    throw invalidField(
      'widget_theme',
      `must have at most ${themeMaxBytes} bytes as JSON with the keys that are there already; null removes a key`,
    );
  }

  #endpointColumns(id: string, endpoint: EndpointInput | null, present: Bot | undefined): Partial<Bot> {
    if (endpoint === null) return { customEndpointConfig: null, sealedAuthHeaderValue: null };
    const { auth_header_value: secret, ...config } = endpoint;
    const customEndpointConfig: CustomEndpointConfig = {
      endpoint_url: config.endpoint_url,
      auth_header_name: config.auth_header_name ?? null,
      model: config.model ?? null,
      response_path: config.response_path ?? null,
    };
    const place = sealedPlaces.authHeaderValue(id);
    if (secret)
      return { customEndpointConfig, sealedAuthHeaderValue: this.#deps.keyring.seal(secret, place) };
    // A secret that was not sent again stays only with the server it was given for.
    const isSameServer =
      secret === undefined &&
      present?.customEndpointConfig &&
      new URL(present.customEndpointConfig.endpoint_url).origin === new URL(config.endpoint_url).origin;
    return isSameServer ? { customEndpointConfig } : { customEndpointConfig, sealedAuthHeaderValue: null };
  }
}

/** The keys that are sent take the place of those that there are; null removes one, or all. */
function mergedTheme(present: Theme, changes: Theme | null): Theme {
  if (changes === null) return {};
  const { dark_palette: palette, ...others } = changes;
  const merged = mergedKeys(present, others);
  if (palette === undefined) return merged;
  const colours = palette && mergedKeys((present['dark_palette'] ?? {}) as Theme, palette as Theme);
  return mergedKeys(merged, { dark_palette: colours });
}

function mergedKeys(present: Theme, changes: Theme): Theme {
  return Object.fromEntries(
    Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null && value !== undefined),
  );
}

const HOUR_MS = 60 * 60 * 1000;

function rotatedIdentitySecret({ identitySecretVersion }: Bot, now: Date, graceHours: number): Partial<Bot> {
  return {
    identitySecretVersion: identitySecretVersion + 1,
    formerIdentitySecretUntil: new Date(now.getTime() + graceHours * HOUR_MS),
  };
}

function plainColumns(changes: BotChanges): Partial<Bot> {
  const fields = Object.keys(columnOf) as (keyof typeof columnOf)[];
  return Object.fromEntries(
    fields.filter((field) => changes[field] !== undefined).map((field) => [columnOf[field], changes[field]]),
  );
}

function newPublicKey(): string {
  const letters = Array.from(
    { length: 22 },
    () => PUBLIC_KEY_ALPHABET[randomInt(PUBLIC_KEY_ALPHABET.length)],
  );
  return `pk_${letters.join('')}`;
}
