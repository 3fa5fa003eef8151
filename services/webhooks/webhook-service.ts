import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { AppError } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import type { DeliveryLogRepository } from '../../repositories/webhooks/delivery-log.repository.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { WebhookRepository } from '../../repositories/webhooks/webhook.repository.ts';
import { listNewestFirst } from '../../database/list-in-batches.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { getRegisteredDomain } from './registered-domain.ts';
import { buildPurgeCommand } from './webhook-commands.ts';
import { generateEndpointSecret, toSecretHint, endpointSecretContext } from './endpoint-secret.ts';
import { eventNames, type EventName } from './event-catalog.ts';

export interface NewWebhook extends Pick<Webhook, 'url'> {
  events?: EventName[];
  description?: string | null;
  botId?: string | null;
}

/** Fields of a webhook endpoint that callers may change. */
export type WebhookChanges = Partial<Pick<Webhook, 'url' | 'description' | 'botId' | 'isActive'>>;

export interface WebhookServiceDeps {
  webhooks: WebhookRepository;
  deliveries: DeliveryLogRepository;
  outbox: OutboxService;
  bots: ScopedRepository<Bot>;
  orgs: Pick<OrgRepository, 'getPlan'>;
  keyring: Keyring;
  /** HTTP client for customers' endpoints, from `createWebhookClient`. */
  outbound: OutboundClient;
}

/**
 * Maximum number of webhook endpoints of a workspace. Each event is sent to all subscribed endpoints, so this
 * limits what an event costs.
 */
const MAX_ENDPOINTS = 50;

/**
 * Maximum number of webhook endpoints on one registered domain for a workspace without a plan. Otherwise, a stranger
 * could turn each message of a visitor into a hundred requests to another party's server.
 */
const MAX_FREE_ENDPOINTS_ON_DOMAIN = 5;

/**
 * Hint in errors about local addresses: how deliveries can reach a developer's machine without changes to the
 * installation.
 */
const FORWARDING_REMEDY = '`parley webhooks tail` forwards deliveries to this address without that setting.';

export class WebhookService {
  readonly #deps: WebhookServiceDeps;

  constructor(deps: WebhookServiceDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `url_refused` for an address to which Parley may not send deliveries */
  checkUrl(url: string): Promise<void> {
    return this.#deps.outbound.checkUrl(url, { field: 'url', remedy: FORWARDING_REMEDY });
  }

  /**
   * Creates a webhook endpoint and returns it with its secret, which cannot be read later.
   * @param apiVersion API version of the deliveries
   * @throws AppError `forbidden` or `not_found` for the bot; `conflict` if the workspace has too many endpoints;
   *   `url_refused` if it has no plan and too many endpoints on the URL's host
   */
  create(
    scope: OrgScope,
    { url, events = eventNames, description = null, botId = null }: NewWebhook,
    apiVersion: string,
  ): Promise<{ webhook: Webhook; secret: string }> {
    return inTransaction(scope, async (tx) => {
      const { webhooks, bots, keyring } = this.#deps;
      if (botId !== null) await bots.get(tx, botId);
      await webhooks.lockAll(tx);
      if ((await webhooks.countAll(tx)) >= MAX_ENDPOINTS)
        throw new AppError(
          'conflict',
          `A workspace can have at most ${MAX_ENDPOINTS} webhook endpoints; delete one first.`,
        );
      await this.#requireDomainCapacity(tx, url);
      const id = newId();
      const secret = generateEndpointSecret();
      const webhook = await webhooks.insert(tx, {
        id,
        botId,
        url,
        description,
        events,
        apiVersion,
        sealedSecret: keyring.seal(secret, endpointSecretContext(id)),
        secretHint: toSecretHint(secret),
      });
      return { webhook, secret };
    });
  }

  list(scope: OrgScope, { bot_id: botId }: { bot_id?: string }): Promise<Webhook[]> {
    return listNewestFirst(() => {
      const query = this.#deps.webhooks.query(scope);
      return botId === undefined ? query : query.andWhere('row.bot_id = :botId', { botId });
    });
  }

  get(scope: OrgScope, id: string): Promise<Webhook> {
    return this.#deps.webhooks.get(scope, id);
  }

  /**
   * Locks the webhook endpoint for the rest of the transaction.
   * @throws AppError `forbidden` or `not_found`
   */
  async lock(scope: OrgScope, id: string): Promise<void> {
    await this.#deps.webhooks.lock(scope, id);
  }

  /**
   * Updates a webhook endpoint. Activating the endpoint, or changing its URL, resets the count of failures.
   * @throws AppError `forbidden` or `not_found` for the endpoint or the bot; `url_refused` like `create`
   */
  async update(scope: OrgScope, id: string, changes: WebhookChanges): Promise<Webhook> {
    const { webhooks, deliveries, bots } = this.#deps;
    const { url, botId, isActive } = changes;
    const current = await webhooks.lock(scope, id);
    if (url !== undefined && getRegisteredDomain(url) !== getRegisteredDomain(current.url))
      await this.#requireDomainCapacity(scope, url);
    if (botId) await bots.get(scope, botId);
    const resetsHealth = isActive === true || (url !== undefined && url !== current.url);
    await webhooks.update(scope, id, {
      ...changes,
      ...(isActive === true && { disabledAt: null }),
      ...(resetsHealth && {
        consecutiveFailures: 0,
        transientFailures: 0,
        failingSince: null,
        lastError: null,
      }),
      updatedAt: () => 'now()',
    });
    await deliveries.notifyEndpointChange(scope, id);
    return webhooks.get(scope, id);
  }

  /**
   * Replaces the events to which an endpoint subscribes; pending deliveries are still sent.
   * @throws AppError `forbidden` or `not_found`
   */
  async replaceEvents(scope: OrgScope, id: string, events: EventName[]): Promise<Webhook> {
    const { webhooks } = this.#deps;
    await webhooks.lock(scope, id);
    await webhooks.update(scope, id, { events, updatedAt: () => 'now()' });
    return webhooks.get(scope, id);
  }

  /**
   * Replaces the endpoint's secret and returns the new secret, which cannot be read later. The new secret
   * signs all further attempts.
   * @throws AppError `forbidden` or `not_found`
   */
  async rotateSecret(scope: OrgScope, id: string): Promise<{ secret: string; rotatedAt: Date; url: string }> {
    const { webhooks, deliveries, keyring } = this.#deps;
    await webhooks.lock(scope, id);
    const secret = generateEndpointSecret();
    await webhooks.update(scope, id, {
      sealedSecret: keyring.seal(secret, endpointSecretContext(id)),
      secretHint: toSecretHint(secret),
      updatedAt: () => 'now()',
    });
    await deliveries.notifyEndpointChange(scope, id);
    const { updatedAt: rotatedAt, url } = await webhooks.get(scope, id);
    return { secret, rotatedAt, url };
  }

  /**
   * Hides the webhook endpoint and its delivery log, and stops deliveries to it; a workflow then removes
   * endpoint and log.
   * @throws AppError `forbidden` or `not_found`
   */
  async delete(scope: OrgScope, id: string): Promise<void> {
    const { webhooks, deliveries, outbox } = this.#deps;
    const { url } = await webhooks.lock(scope, id);
    await webhooks.update(scope, id, { isActive: false, deletedAt: () => 'now()' });
    await deliveries.notifyEndpointChange(scope, id);
    await outbox.command(scope, buildPurgeCommand({ id, orgId: scope.orgId, url }));
  }

  /**
   * Requires that a workspace without a plan has few webhook endpoints on the URL's domain. The caller has locked the
   * workspace's set of endpoints, or an endpoint.
   */
  async #requireDomainCapacity(scope: OrgScope, url: string): Promise<void> {
    const { orgs, webhooks } = this.#deps;
    if ((await orgs.getPlan(scope)).planTier !== 'free') return;
    const domain = getRegisteredDomain(url);
    const urls = await webhooks.listUrls(scope);
    if (urls.filter((other) => getRegisteredDomain(other) === domain).length < MAX_FREE_ENDPOINTS_ON_DOMAIN)
      return;
    const message = `A workspace without a plan can have at most ${MAX_FREE_ENDPOINTS_ON_DOMAIN} endpoints on one domain; delete one of ${domain} first.`;
    throw new AppError('url_refused', message, {
      details: [{ field: 'url', in: 'body', code: 'url_refused', message }],
    });
  }
}
