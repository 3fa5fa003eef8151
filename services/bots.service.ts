import { randomInt } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { OutboundClient } from '../adapters/http/outbound-client.ts';
import type { Keyring } from '../adapters/keys/keyring.ts';
import { AppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Bot, BotStatus, CustomEndpointConfig, LlmProvider } from '../entities/bot.entity.ts';
import { containing } from '../repositories/containing.ts';
import type { OrgScope } from '../repositories/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../repositories/page.ts';
import type { ScopedRepository } from '../repositories/scoped.repository.ts';
import { sealedPlaces } from './answering/bot-model.ts';
import type { OutboxService } from './outbox.service.ts';
import type { Limit } from './rate-limiter.ts';

interface EndpointInput {
  endpoint_url: string;
  auth_header_name?: string | null;
  auth_header_value?: string | null;
  model?: string | null;
  response_path?: string | null;
}

/** Fields of a bot as the API names them; a present key is applied, null clears. */
export interface BotChanges {
  name?: string;
  status?: BotStatus;
  description?: string | null;
  llm_provider?: LlmProvider;
  model?: string | null;
  api_key?: string | null;
  custom_endpoint_config?: EndpointInput | null;
  system_prompt?: string | null;
  temperature?: number;
  max_tokens?: number;
  thinking_enabled?: boolean;
  thinking_budget_tokens?: number;
  welcome_message?: string | null;
  starter_questions?: string[];
  fallback_message?: string | null;
  strict_kb_mode?: boolean;
  language?: string;
  lead_capture_config?: Record<string, unknown> | null;
  contact_fields_config?: Record<string, unknown>[];
  directory_config?: Record<string, unknown> | null;
  widget_theme?: Record<string, unknown>;
  allowed_domains?: string[] | null;
  is_public?: boolean;
  rate_limit_per_minute?: number;
  monthly_message_cap?: number | null;
  handoff_enabled?: boolean;
  handoff_config?: Record<string, unknown> | null;
}

const transitions: Record<BotStatus, readonly BotStatus[]> = {
  draft: ['active', 'archived'],
  active: ['paused', 'archived'],
  paused: ['active', 'archived'],
  archived: ['draft'],
};

const PUBLIC_KEY_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface BotServiceDeps {
  bots: ScopedRepository<Bot>;
  outbox: OutboxService;
  keyring: Keyring;
  outbound: OutboundClient;
}

export class BotService {
  readonly #bots: ScopedRepository<Bot>;
  readonly #outbox: OutboxService;
  readonly #keyring: Keyring;
  readonly #outbound: OutboundClient;

  constructor({ bots, outbox, keyring, outbound }: BotServiceDeps) {
    this.#bots = bots;
    this.#outbox = outbox;
    this.#keyring = keyring;
    this.#outbound = outbound;
  }

  list(
    scope: OrgScope,
    { status, q, ...page }: PageQuery & { status?: BotStatus; q?: string },
  ): Promise<Page<Bot>> {
    const query = this.#bots.query(scope);
    if (status) query.andWhere('row.status = :status', { status });
    if (q) query.andWhere('row.name ILIKE :text', { text: containing(q) });
    return readPage(query, page, ['bots', scope.orgId, status, q], this.#keyring);
  }

  get(scope: OrgScope, botId: string): Promise<Bot> {
    return this.#bots.get(scope, botId);
  }

  /** How many visitors' messages the bot takes in a minute. */
  async messageLimit(scope: OrgScope, botId: string): Promise<Limit> {
    const { rateLimitPerMinute } = await this.#bots.get(scope, botId);
    return { key: `bot:${botId}`, limit: rateLimitPerMinute, windowSeconds: 60 };
  }

  /** @throws AppError `url_refused` when a custom endpoint's address may not be contacted */
  async checkEndpoint(changes: BotChanges): Promise<void> {
    const url = changes.custom_endpoint_config?.endpoint_url;
    if (url !== undefined) await this.#outbound.checkUrl(url);
  }

  async create(scope: OrgScope, input: BotChanges): Promise<Bot> {
    const id = newId();
    await this.#bots.insert(scope, { ...this.#columns(id, input), id, publicKey: newPublicKey() });
    return this.#bots.get(scope, id);
  }

  /** @throws AppError `conflict` for a status that cannot follow the present one */
  async update(scope: OrgScope, botId: string, changes: BotChanges): Promise<Bot> {
    const bot = await this.#bots.getForUpdate(scope, botId);
    if (
      changes.status &&
      changes.status !== bot.status &&
      !transitions[bot.status].includes(changes.status)
    ) {
      throw new AppError('conflict', `A bot that is ${bot.status} cannot become ${changes.status}.`);
    }
    await this.#bots.update(scope, botId, {
      ...this.#columns(botId, changes, bot),
      updatedAt: () => 'now()',
    });
    return this.#bots.get(scope, botId);
  }

  /** Hides the bot at once; the workflow `purgeBot` removes what belongs to it. */
  async delete(scope: OrgScope, botId: string): Promise<void> {
    const bot = await this.#bots.getForUpdate(scope, botId);
    await this.#bots.update(scope, botId, { deletedAt: () => 'now()', status: 'archived' });
    await this.#outbox.command(scope, {
      workflow: 'purgeBot',
      action: 'start',
      workflowId: `purge-bot/${botId}`,
      args: [{ orgId: scope.orgId, botId }],
      summary: `Remove everything of the bot “${bot.name}”`,
    });
  }

  /** The bot with unsaved changes applied, as the playground tries them. */
  async preview(scope: OrgScope, botId: string, changes: BotChanges): Promise<Bot> {
    const bot = await this.#bots.get(scope, botId);
    return { ...bot, ...this.#columns(botId, changes, bot) };
  }

  #columns(id: string, changes: BotChanges, present?: Bot): Partial<Bot> {
    const { api_key: apiKey, custom_endpoint_config: endpoint, ...rest } = changes;
    const columns: Partial<Bot> = {};
    const set = <K extends keyof Bot>(key: K, value: Bot[K] | undefined): void => {
      if (value !== undefined) columns[key] = value;
    };
    set('name', rest.name);
    set('status', rest.status);
    set('description', rest.description);
    set('llmProvider', rest.llm_provider);
    set('model', rest.model);
    set('systemPrompt', rest.system_prompt === null ? '' : rest.system_prompt);
    set('temperature', rest.temperature);
    set('maxTokens', rest.max_tokens);
    set('thinkingEnabled', rest.thinking_enabled);
    set('thinkingBudgetTokens', rest.thinking_budget_tokens);
    set('welcomeMessage', rest.welcome_message);
    set('starterQuestions', rest.starter_questions);
    set('fallbackMessage', rest.fallback_message);
    set('strictKbMode', rest.strict_kb_mode);
    set('language', rest.language);
    set('leadCaptureConfig', rest.lead_capture_config);
    set('contactFieldsConfig', rest.contact_fields_config);
    set('directoryConfig', rest.directory_config);
    set('widgetTheme', rest.widget_theme);
    set('allowedDomains', rest.allowed_domains && rest.allowed_domains.map(normalisedHost));
    set('isPublic', rest.is_public);
    set('rateLimitPerMinute', rest.rate_limit_per_minute);
    set('monthlyMessageCap', rest.monthly_message_cap);
    set('handoffEnabled', rest.handoff_enabled);
    set('handoffConfig', rest.handoff_config);
    set('sealedApiKey', apiKey === '' ? null : apiKey && this.#keyring.seal(apiKey, sealedPlaces.apiKey(id)));
    if (endpoint !== undefined) Object.assign(columns, this.#endpointColumns(id, endpoint, present));
    return columns;
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
    if (secret) return { customEndpointConfig, sealedAuthHeaderValue: this.#keyring.seal(secret, place) };
    // A secret that was not sent again stays only with the server it was given for.
    const isSameServer =
      secret === undefined &&
      present?.customEndpointConfig &&
      new URL(present.customEndpointConfig.endpoint_url).origin === new URL(config.endpoint_url).origin;
    return isSameServer ? { customEndpointConfig } : { customEndpointConfig, sealedAuthHeaderValue: null };
  }
}

function newPublicKey(): string {
  const letters = Array.from(
    { length: 22 },
    () => PUBLIC_KEY_ALPHABET[randomInt(PUBLIC_KEY_ALPHABET.length)],
  );
  return `pk_${letters.join('')}`;
}

function normalisedHost(host: string): string {
  const isWildcard = host.startsWith('*.');
  return `${isWildcard ? '*.' : ''}${domainToASCII(isWildcard ? host.slice(2) : host)}`;
}
