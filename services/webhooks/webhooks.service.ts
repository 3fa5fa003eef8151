import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { newId } from '../../core/ids.ts';
import type { Bot } from '../../entities/bot.entity.ts';
import type { DeliveryStatus, WebhookDelivery } from '../../entities/webhook-delivery.entity.ts';
import type { Webhook } from '../../entities/webhook.entity.ts';
import type { OrgScope } from '../../repositories/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../../repositories/page.ts';
import type { ScopedRepository } from '../../repositories/scoped.repository.ts';
import { newEndpointSecret, secretHint, secretPlace } from './endpoint-secret.ts';
import { eventNames, type EventName } from './event-catalogue.ts';

export interface NewWebhook {
  url: string;
  events?: EventName[];
  description?: string | null;
  bot_id?: string | null;
}

export interface DeliveryFilters {
  id?: string;
  webhook_id?: string;
  event?: EventName;
  status?: DeliveryStatus;
  from?: string;
  to?: string;
}

/** A delivery with the endpoint that it goes to. */
export interface LoggedDelivery {
  delivery: WebhookDelivery;
  webhook: Webhook;
}

export interface WebhookServiceDeps {
  webhooks: ScopedRepository<Webhook>;
  deliveries: ScopedRepository<WebhookDelivery>;
  bots: ScopedRepository<Bot>;
  keyring: Keyring;
  /** From `createWebhookClient`. */
  outbound: OutboundClient;
}

export class WebhookService {
  readonly #deps: WebhookServiceDeps;

  constructor(deps: WebhookServiceDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `url_refused` for an address that deliveries may not go to */
  async checkUrl(url: string): Promise<void> {
    await this.#deps.outbound.checkUrl(url);
  }

  /**
   * Answers the secret too, which is not readable afterwards.
   * @param apiVersion the version that deliveries keep to
   * @throws AppError `forbidden` or `not_found` for the bot
   */
  async create(
    scope: OrgScope,
    { url, events = eventNames, description = null, bot_id: botId = null }: NewWebhook,
    apiVersion: string,
  ): Promise<{ webhook: Webhook; secret: string }> {
    const { webhooks, bots, keyring } = this.#deps;
    if (botId !== null) await bots.get(scope, botId);
    const id = newId();
    const secret = newEndpointSecret();
    const webhook = await webhooks.insert(scope, {
      id,
      botId,
      url,
      description,
      events,
      apiVersion,
      sealedSecret: keyring.seal(secret, secretPlace(id)),
      secretHint: secretHint(secret),
    });
    return { webhook, secret };
  }

  list(scope: OrgScope, { bot_id: botId }: { bot_id?: string }): Promise<Webhook[]> {
    const query = this.#deps.webhooks.query(scope);
    if (botId !== undefined) query.andWhere('row.bot_id = :botId', { botId });
    return query.orderBy('row.createdAt', 'DESC').addOrderBy('row.id', 'DESC').getMany();
  }

  get(scope: OrgScope, id: string): Promise<Webhook> {
    return this.#deps.webhooks.get(scope, id);
  }

  /** Its log goes with it, and so does whatever is still to be sent. */
  async delete(scope: OrgScope, id: string): Promise<void> {
    const { webhooks } = this.#deps;
    if (!(await webhooks.delete(scope, id))) await webhooks.refuse(scope, id);
  }

  /** The delivery log, newest first; `from` is inclusive, `to` is not. */
  async listDeliveries(
    scope: OrgScope,
    { id, webhook_id, event, status, from, to, ...page }: PageQuery & DeliveryFilters,
  ): Promise<Page<LoggedDelivery>> {
    const query = this.#deps.deliveries.query(scope);
    if (id !== undefined) query.andWhere('row.id = :id', { id });
    if (webhook_id !== undefined) query.andWhere('row.webhook_id = :webhook_id', { webhook_id });
    if (event !== undefined) query.andWhere('row.event = :event', { event });
    if (status !== undefined) query.andWhere('row.status = :status', { status });
    if (from !== undefined) query.andWhere('row.created_at >= :from', { from });
    if (to !== undefined) query.andWhere('row.created_at < :to', { to });
    const found = await readPage(query, page, this.#deps.keyring);
    return { ...found, items: await this.#withWebhooks(scope, found.items) };
  }

  async #withWebhooks(scope: OrgScope, deliveries: WebhookDelivery[]): Promise<LoggedDelivery[]> {
    if (deliveries.length === 0) return [];
    const ids = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
    const webhooks = await this.#deps.webhooks.query(scope).andWhere('row.id = ANY(:ids)', { ids }).getMany();
    const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    // An endpoint deleted between the two reads took its deliveries with it.
    return deliveries.flatMap((delivery) => {
      const webhook = byId.get(delivery.webhookId);
      return webhook ? [{ delivery, webhook }] : [];
    });
  }
}
