import { normalisedDomain } from '../conversations/allowed-domains.ts';
import { randomInt } from 'node:crypto';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { withHyphens } from '../../core/languages.ts';
import { countValues } from '../../core/value-count.ts';
import { isVisible, requireVisible } from '../../core/text/visible-text.ts';
import type { Bot, BotStatus, CustomEndpointConfig } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { containing } from '../../database/containing.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import { purgeBotWorkflowId } from '../../core/workflows/commands.ts';
import { sealedPlaces } from '../conversations/answering/bot-model.ts';
import { requireLanguage } from './bot-language.ts';
import { requireDirectoryLinks, withoutUnsafeLinks } from './directory-links.ts';
import { checkHandoffConfig, settledHandoffConfig } from './handoff-settings.ts';
import { MAX_THEME_BYTES, MAX_THEME_VALUES, mergedTheme, type Theme } from './merged-theme.ts';
import type { BotNeeds } from '../flows/bot-needs.ts';
import type { RefreshService } from '../knowledge/crawling/refresh-service.ts';
import type { Quotas } from '../usage/quotas.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';

interface EndpointInput {
  endpoint_url: string;
  auth_header_name?: string | null;
  auth_header_value?: string | null;
  model?: string | null;
  response_path?: string | null;
}

/** What the service sets by itself. */
type OwnColumn =
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

/** What callers say of a bot: a present key is applied, null clears. */
export interface BotChanges extends Partial<Omit<Bot, OwnColumn | 'systemPrompt' | 'widgetTheme'>> {
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

/** What the columns need that have no default. */
const ARCHIVED_SETTINGS: BotChanges = {
  llmProvider: 'platform',
  temperature: 0.7,
  maxTokens: 1024,
  thinkingBudgetTokens: 2048,
  rateLimitPerMinute: 30,
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
  refreshes: Pick<RefreshService, 'announce'>;
  needs: BotNeeds;
  quotas: Quotas;
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
    const endpoint = changes.customEndpoint;
    if (!endpoint) return;
    const { outbound, secretOutbound } = this.#deps;
    await (endpoint.auth_header_value ? secretOutbound : outbound).checkUrl(endpoint.endpoint_url);
  }

  async create(scope: OrgScope, input: BotChanges): Promise<Bot> {
    await this.#check(scope, input);
    await this.#deps.quotas.require(scope, 'bots');
    return this.#deps.bots.insertLast(scope, this.#draft(newId(), input));
  }

  /**
   * A bot with a configuration that is known to fit. @param id of the bot
   * @param problem what the team is to know of it
   */
  async copy(
    scope: OrgScope,
    id: string,
    configuration: BotChanges,
    problem: string | null = null,
  ): Promise<Bot> {
    if (configuration.name !== undefined) requireVisible(configuration.name, 'name');
    await this.#deps.quotas.require(scope, 'bots');
    return this.#deps.bots.insert(scope, {
      ...this.#draft(id, withoutUnsafeLinks(configuration)),
      lastError: problem,
    });
  }

  /** Keeps a bot of elsewhere by its name, for what it has said: archived, and without a configuration of its own. */
  async keepArchived(
    scope: OrgScope,
    known: Pick<Bot, 'id' | 'name' | 'description' | 'language'> & Partial<Pick<Bot, 'createdAt'>>,
  ): Promise<void> {
    await this.#deps.bots.insert(scope, {
      ...this.#draft(known.id, ARCHIVED_SETTINGS),
      ...known,
      status: 'archived',
    });
  }

  #draft(id: string, input: BotChanges): Partial<Bot> {
    const now = this.#deps.clock.now();
    return { ...this.#columns(id, input), id, publicKey: newPublicKey(), createdAt: now, updatedAt: now };
  }

  /** @throws AppError `conflict` for a status that cannot follow the present one, and for what an active flow needs */
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
    await this.#store(scope, bot, this.#columns(botId, changes, bot));
    if (changes.status && changes.status !== bot.status) await this.#deps.refreshes.announce(scope, botId);
    return this.#deps.bots.get(scope, botId);
  }

  /**
   * Gives a bot that is locked a configuration as a whole: its theme is not merged. Whom its handoff tells may have left since.
   * @param problem what the team is to know of it
   */
  async replace(scope: OrgScope, bot: Bot, changes: BotChanges, problem: string | null): Promise<void> {
    const { handoffConfig } = changes;
    await this.#check(scope, {
      ...changes,
      ...(handoffConfig && { handoffConfig: { ...handoffConfig, notify: null } }),
    });
    await this.#store(scope, bot, {
      ...this.#columns(bot.id, changes, { ...bot, widgetTheme: {} }),
      ...(problem !== null && { lastError: problem }),
    });
  }

  async #store(scope: OrgScope, bot: Bot, columns: Partial<Bot>): Promise<void> {
    await this.#deps.needs.requireKept(scope, bot, columns);
    await this.#deps.bots.update(scope, bot.id, { ...columns, updatedAt: () => 'now()' });
  }

  async #check(
    scope: OrgScope,
    { name, language, handoffConfig, directoryConfig }: BotChanges,
  ): Promise<void> {
    if (name !== undefined) requireVisible(name, 'name');
    requireLanguage(language, 'language');
    requireDirectoryLinks(directoryConfig, 'directory_config.entries');
    if (handoffConfig) await checkHandoffConfig(this.#deps.members, scope, handoffConfig);
  }

  /** Hides the bot at once; the workflow `purgeBot` removes what belongs to it. */
  async delete(scope: OrgScope, botId: string): Promise<void> {
    await this.#deps.bots.lock(scope, botId);
    await this.#deps.bots.update(scope, botId, { deletedAt: () => 'now()', status: 'archived' });
    await this.#deps.outbox.command(scope, {
      workflow: 'purgeBot',
      action: 'start',
      workflowId: purgeBotWorkflowId(botId),
      args: [{ orgId: scope.orgId, botId }],
      summary: 'Remove everything of a deleted bot',
    });
  }

  /**
   * The bot with unsaved changes applied, as the playground tries them. No owner is mailed, so that the saved secret of the endpoint
   * goes to the saved URL alone, in the saved header.
   */
  async preview(scope: OrgScope, botId: string, changes: BotChanges): Promise<Bot> {
    const bot = await this.#deps.bots.get(scope, botId);
    const tried = { ...bot, ...this.#columns(botId, changes, bot) };
    const usesSavedSecret = tried.sealedAuthHeaderValue === bot.sealedAuthHeaderValue;
    return usesSavedSecret && !isSentAlike(bot.customEndpointConfig, tried.customEndpointConfig)
      ? { ...tried, sealedAuthHeaderValue: null }
      : tried;
  }

  #columns(id: string, changes: BotChanges, present?: Bot): Partial<Bot> {
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
      ...asGiven
    } = changes;
    return {
      ...asGiven,
      ...(language !== undefined && { language: withHyphens(language) }),
      ...(handoff !== undefined && { handoffConfig: handoff && settledHandoffConfig(handoff) }),
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
    const theme = mergedTheme(present, changes);
    if (countValues(theme, MAX_THEME_VALUES) > MAX_THEME_VALUES)
      throw invalidField(
        'widget_theme',
        `must have at most ${MAX_THEME_VALUES} values with the keys that are there already; null removes a key`,
      );
    if (Buffer.byteLength(JSON.stringify(theme)) <= MAX_THEME_BYTES) return theme;
    throw invalidField(
      'widget_theme',
      `must have at most ${MAX_THEME_BYTES} bytes as JSON with the keys that are there already; null removes a key`,
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

/** Whether requests go to the same URL, with the secret in the same header. */
function isSentAlike(saved: CustomEndpointConfig | null, tried: CustomEndpointConfig | null): boolean {
  return (
    saved?.auth_header_name === tried?.auth_header_name &&
    (saved && new URL(saved.endpoint_url).href) === (tried && new URL(tried.endpoint_url).href)
  );
}

const HOUR_MS = 60 * 60 * 1000;

function rotatedIdentitySecret({ identitySecretVersion }: Bot, now: Date, graceHours: number): Partial<Bot> {
  return {
    identitySecretVersion: identitySecretVersion + 1,
    formerIdentitySecretUntil: new Date(now.getTime() + graceHours * HOUR_MS),
  };
}

function newPublicKey(): string {
  const letters = Array.from(
    { length: 22 },
    () => PUBLIC_KEY_ALPHABET[randomInt(PUBLIC_KEY_ALPHABET.length)],
  );
  return `pk_${letters.join('')}`;
}
