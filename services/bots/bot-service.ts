import { normalizeDomain } from '../conversations/allowed-domains.ts';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { generatePublicKey } from '../../adapters/keys/public-key.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { toHyphenated } from '../../core/languages.ts';
import { countValues } from '../../core/value-count.ts';
import { isVisible } from '../../core/text/visible-text.ts';
import type { Bot, BotStatus, CustomEndpointConfig } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { buildTextCondition } from '../../database/text-condition.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import { purgeBotWorkflowId } from '../../core/workflows/commands.ts';
import { botSecretContexts } from '../conversations/answering/bot-model-config.ts';
import { requireLanguage } from './bot-language.ts';
import { describeMissingSetting, reportMissingSetting } from './missing-provider-setting.ts';
import { requireDirectoryLinks, dropUnsafeLinks } from './directory-links.ts';
import { checkHandoffConfig, normalizeHandoffConfig } from './handoff-settings.ts';
import { MAX_THEME_BYTES, MAX_THEME_VALUES, mergeTheme, type Theme } from './theme.ts';
import type { FlowRequirements } from '../flows/flow-requirements.ts';
import type { RefreshService } from '../knowledge/crawling/refresh-service.ts';
import type { TestRequirements } from '../test-sets/test-requirements.ts';
import type { Quotas } from '../usage/quotas.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';

interface EndpointInput {
  endpoint_url: string;
  auth_header_name?: string | null;
  auth_header_value?: string | null;
  model?: string | null;
  response_path?: string | null;
}

/** Columns of a bot that only the service sets, not callers. */
type ManagedColumn =
  | 'id'
  | 'orgId'
  | 'publicKey'
  | 'sealedApiKey'
  | 'customEndpointConfig'
  | 'sealedAuthHeaderValue'
  | 'identitySecretVersion'
  | 'formerIdentitySecretUntil'
  | 'lastError'
  | 'totalConversations'
  | 'totalMessages'
  | 'indexedChunkCount'
  | 'activeFlowCount'
  | 'createdAt'
  | 'updatedAt'
  | 'deletedAt';

/** Changes to a bot. A missing key leaves the value unchanged; null clears it. */
export interface BotChanges extends Partial<Omit<Bot, ManagedColumn | 'systemPrompt' | 'widgetTheme'>> {
  systemPrompt?: string | null;
  widgetTheme?: Theme | null;
  apiKey?: string | null;
  customEndpoint?: EndpointInput | null;
  rotateIdentitySecret?: { grace_hours?: number } | null;
}

const transitions: Record<BotStatus, readonly BotStatus[]> = {
  draft: ['active', 'archived'],
  active: ['paused', 'archived'],
  paused: ['active', 'archived'],
  archived: ['draft'],
};

/** Column values for an archived bot, where the database has no default. */
const ARCHIVED_SETTINGS: BotChanges = {
  llmProvider: 'platform',
  temperature: 0.7,
  maxTokens: 1024,
  thinkingBudgetTokens: 2048,
  rateLimitPerMinute: 30,
};

export interface BotServiceDeps {
  /**
   * HTTP client for requests that contain secrets. Requires HTTPS, except for addresses that the operator has
   * allowed.
   */
  secretOutbound: OutboundClient;
  bots: BotRepository;
  outbox: OutboxService;
  keyring: Keyring;
  outbound: OutboundClient;
  clock: Clock;
  members: MemberRepository;
  refreshes: Pick<RefreshService, 'requestSchedules'>;
  flowRequirements: FlowRequirements;
  quotas: Quotas;
  testRequirements: Pick<TestRequirements, 'require'>;
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
    if (q) {
      const { contains, parameters } = buildTextCondition(q);
      query.andWhere(contains('row.name'), parameters);
    }
    return readPage(query, page, this.#deps.keyring);
  }

  get(scope: OrgScope, botId: string): Promise<Bot> {
    return this.#deps.bots.get(scope, botId);
  }

  /**
   * Returns the public bot with this key; null if there is none. Without a key, returns the newest public bot
   * of the first workspace.
   */
  findPublicBot(db: Database, publicKey: string | null): Promise<Bot | null> {
    const { bots } = this.#deps;
    return publicKey === null ? bots.findNewestPublic(db) : bots.findPublic(db, publicKey);
  }

  /**
   * Returns the secret with which the workspace's own server signs identity tokens for the bot's visitors.
   */
  getIdentitySecret({ id, identitySecretVersion }: Bot): string {
    return this.#deps.keyring.deriveIdentitySecret(id, identitySecretVersion);
  }

  /** Returns the time at which the previous identity secret expires; null if no previous secret is valid. */
  getPreviousSecretExpiry({ formerIdentitySecretUntil: until }: Bot): Date | null {
    return until && until > this.#deps.clock.now() ? until : null;
  }

  /**
   * @param configField path of the bot's configuration in the request; empty if the configuration is the
   *   whole body, undefined if the request has none
   * @throws AppError `url_refused` if requests to the custom endpoint's address are not allowed
   */
  async checkEndpoint(changes: BotChanges, configField?: string): Promise<void> {
    const endpoint = changes.customEndpoint;
    if (!endpoint) return;
    const { outbound, secretOutbound } = this.#deps;
    const client = endpoint.auth_header_value ? secretOutbound : outbound;
    await client.checkUrl(
      endpoint.endpoint_url,
      configField === undefined ? {} : { field: `${configField}custom_endpoint_config.endpoint_url` },
    );
  }

  async create(scope: OrgScope, input: BotChanges): Promise<Bot> {
    await this.#check(scope, input);
    await this.#deps.quotas.require(scope, 'bots');
    return this.#deps.bots.insertWithCommit(scope, this.#toDraft(newId(), input));
  }

  /**
   * Inserts a bot with a configuration that is already validated.
   * @param id id of the new bot
   * @param problem error message that the team sees as `last_error`; null for none
   */
  async insertConfigured(
    scope: OrgScope,
    id: string,
    configuration: BotChanges,
    problem: string | null = null,
  ): Promise<Bot> {
    await this.#deps.quotas.require(scope, 'bots');
    return this.#deps.bots.insert(scope, {
      ...this.#toDraft(id, dropUnsafeLinks(configuration)),
      ...(problem !== null && { lastError: problem }),
    });
  }

  /** Creates an archived bot without a configuration, for imported conversations to refer to. */
  async insertArchived(
    scope: OrgScope,
    known: Pick<Bot, 'id' | 'name' | 'description' | 'language'> & Partial<Pick<Bot, 'createdAt'>>,
  ): Promise<void> {
    await this.#deps.bots.insert(scope, {
      ...this.#toDraft(known.id, ARCHIVED_SETTINGS),
      ...known,
      status: 'archived',
    });
  }

  #toDraft(id: string, input: BotChanges): Partial<Bot> {
    const now = this.#deps.clock.now();
    const columns = this.#toColumns(id, input);
    return {
      ...columns,
      lastError: describeMissingSetting(columns),
      id,
      publicKey: generatePublicKey(),
      createdAt: now,
      updatedAt: now,
    };
  }

  /**
   * Locks the bot's row for the rest of the transaction.
   * @throws AppError `forbidden` or `not_found`
   */
  async lock(scope: OrgScope, botId: string): Promise<void> {
    await this.#deps.bots.lock(scope, botId);
  }

  /**
   * @throws AppError `conflict` if the change of the bot's status is not allowed, or if an active flow needs
   *   a feature that would be disabled; `conflict` if a required test set has not passed
   */
  async update(scope: OrgScope, botId: string, changes: BotChanges): Promise<Bot> {
    const bot = await this.#deps.bots.lock(scope, botId);
    if (
      changes.status &&
      changes.status !== bot.status &&
      !transitions[bot.status].includes(changes.status)
    ) {
      throw new AppError('conflict', `A bot that is ${bot.status} cannot become ${changes.status}.`);
    }
    await this.#check(scope, changes);
    if (changes.status && bot.status === 'archived' && changes.status !== 'archived')
      await this.#deps.quotas.require(scope, 'bots');
    const columns = this.#toColumns(botId, changes, bot);
    if (changes.status === 'active' && bot.status !== 'active')
      await this.#deps.testRequirements.require(scope, { ...bot, ...columns });
    await this.#updateBot(scope, bot, columns);
    if (changes.status && changes.status !== bot.status)
      await this.#deps.refreshes.requestSchedules(scope, botId);
    return this.#deps.bots.get(scope, botId);
  }

  /**
   * Replaces the whole configuration of a locked bot, including its theme. Recipients of handoff emails are
   * not checked: recipients may have left the workspace since the configuration was saved.
   * @param problem error message that the team sees as `last_error`; null for none
   */
  async replace(scope: OrgScope, bot: Bot, changes: BotChanges, problem: string | null): Promise<void> {
    const { handoffConfig } = changes;
    await this.#check(scope, {
      ...changes,
      ...(handoffConfig && { handoffConfig: { ...handoffConfig, notify: null } }),
    });
    const columns = this.#toColumns(bot.id, changes, { ...bot, widgetTheme: {} });
    if (bot.status === 'active') await this.#deps.testRequirements.require(scope, { ...bot, ...columns });
    await this.#updateBot(scope, bot, {
      ...columns,
      ...(problem !== null && { lastError: problem }),
    });
  }

  async #updateBot(scope: OrgScope, bot: Bot, columns: Partial<Bot>): Promise<void> {
    await this.#deps.flowRequirements.assertFlowsStillRun(scope, bot, columns);
    await this.#deps.bots.update(scope, bot.id, {
      ...reportMissingSetting(bot, columns),
      ...columns,
      updatedAt: () => 'now()',
    });
  }

  async #check(scope: OrgScope, { language, handoffConfig, directoryConfig }: BotChanges): Promise<void> {
    requireLanguage(language, 'language');
    requireDirectoryLinks(directoryConfig, 'directory_config.entries');
    if (handoffConfig) await checkHandoffConfig(this.#deps.members, scope, handoffConfig);
  }

  /** Hides the deleted bot at once. The workflow `purgeBot` then deletes its data. */
  async delete(scope: OrgScope, botId: string): Promise<void> {
    await this.#deps.bots.lock(scope, botId);
    await this.#deps.bots.update(scope, botId, { deletedAt: () => 'now()', status: 'archived' });
    await this.#deps.outbox.command(scope, {
      workflow: 'purgeBot',
      action: 'start',
      workflowId: purgeBotWorkflowId(botId),
      args: [{ orgId: scope.orgId, botId }],
      summary: 'Remove all data of a deleted bot',
    });
  }

  /**
   * Returns the bot with unsaved changes, for the playground. The saved secret of a custom endpoint is used
   * only with the saved URL and header: unlike saving, a preview sends owners no warning.
   */
  async preview(scope: OrgScope, botId: string, changes: BotChanges): Promise<Bot> {
    const bot = await this.#deps.bots.get(scope, botId);
    const previewed = { ...bot, ...this.#toColumns(botId, changes, bot) };
    const usesSavedSecret = previewed.sealedAuthHeaderValue === bot.sealedAuthHeaderValue;
    return usesSavedSecret && !hasSameSecretTarget(bot.customEndpointConfig, previewed.customEndpointConfig)
      ? { ...previewed, sealedAuthHeaderValue: null }
      : previewed;
  }

  #toColumns(id: string, changes: BotChanges, current?: Bot): Partial<Bot> {
    const {
      systemPrompt: prompt,
      fallbackMessage: fallback,
      allowedDomains: domains,
      widgetTheme: theme,
      apiKey,
      customEndpoint: endpoint,
      rotateIdentitySecret: rotation,
      handoffConfig: handoff,
      language,
      ...directColumns
    } = changes;
    return {
      ...directColumns,
      ...(language !== undefined && { language: toHyphenated(language) }),
      ...(handoff !== undefined && { handoffConfig: handoff && normalizeHandoffConfig(handoff) }),
      ...(prompt !== undefined && { systemPrompt: prompt ?? '' }),
      ...(fallback !== undefined && { fallbackMessage: isVisible(fallback ?? '') ? fallback : null }),
      ...(domains !== undefined && { allowedDomains: domains && domains.map(normalizeDomain) }),
      ...(apiKey !== undefined && {
        sealedApiKey: apiKey ? this.#deps.keyring.seal(apiKey, botSecretContexts.apiKey(id)) : null,
      }),
      ...(theme !== undefined && { widgetTheme: this.#mergeTheme(current?.widgetTheme ?? {}, theme) }),
      ...(rotation && current && toRotatedSecret(current, this.#deps.clock.now(), rotation.grace_hours ?? 0)),
      ...(endpoint !== undefined && this.#toEndpointColumns(id, endpoint, current)),
    };
  }

  /**
   * Merges changes into a bot's theme. Limits the result, since many small changes could add up to a large
   * theme.
   */
  #mergeTheme(current: Theme, changes: Theme | null): Theme {
    const theme = mergeTheme(current, changes);
    if (countValues(theme, MAX_THEME_VALUES) > MAX_THEME_VALUES)
      throw invalidField(
        'widget_theme',
        `must have at most ${MAX_THEME_VALUES} values, including the stored keys; null removes a key`,
      );
    if (Buffer.byteLength(JSON.stringify(theme)) <= MAX_THEME_BYTES) return theme;
    throw invalidField(
      'widget_theme',
      `must have at most ${MAX_THEME_BYTES} bytes as JSON, including the stored keys; null removes a key`,
    );
  }

  #toEndpointColumns(id: string, endpoint: EndpointInput | null, current: Bot | undefined): Partial<Bot> {
    if (endpoint === null) return { customEndpointConfig: null, sealedAuthHeaderValue: null };
    const { auth_header_value: secret, ...config } = endpoint;
    const customEndpointConfig: CustomEndpointConfig = {
      endpoint_url: config.endpoint_url,
      auth_header_name: config.auth_header_name ?? null,
      model: config.model ?? null,
      response_path: config.response_path ?? null,
    };
    const secretContext = botSecretContexts.authHeaderValue(id);
    if (secret)
      return { customEndpointConfig, sealedAuthHeaderValue: this.#deps.keyring.seal(secret, secretContext) };
    // If the caller omits the secret of the custom endpoint, keep the saved one only for an endpoint with the
    // same origin.
    const isSameServer =
      secret === undefined &&
      current?.customEndpointConfig &&
      new URL(current.customEndpointConfig.endpoint_url).origin === new URL(config.endpoint_url).origin;
    return isSameServer ? { customEndpointConfig } : { customEndpointConfig, sealedAuthHeaderValue: null };
  }
}

/** Returns true if both endpoint configurations send the secret to the same URL in the same header. */
function hasSameSecretTarget(
  saved: CustomEndpointConfig | null,
  tried: CustomEndpointConfig | null,
): boolean {
  return (
    saved?.auth_header_name === tried?.auth_header_name &&
    (saved && new URL(saved.endpoint_url).href) === (tried && new URL(tried.endpoint_url).href)
  );
}

const HOUR_MS = 60 * 60 * 1000;

function toRotatedSecret({ identitySecretVersion }: Bot, now: Date, graceHours: number): Partial<Bot> {
  return {
    identitySecretVersion: identitySecretVersion + 1,
    formerIdentitySecretUntil: new Date(now.getTime() + graceHours * HOUR_MS),
  };
}
