import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { ApiVersions } from '../../core/api-versions.ts';
import { pollUntil } from '../../core/concurrency/poll-until.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { DeliveryStatus, WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import type {
  DeliveryLogRepository,
  FailedDelivery,
  LogRange,
} from '../../repositories/webhooks/delivery-log.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { buildDeliverySignal } from './webhook-commands.ts';
import { toSampleData, type EventName } from './event-catalog.ts';

export interface DeliveryFilters {
  id?: string;
  webhook_id?: string;
  event?: EventName;
  status?: DeliveryStatus;
  from?: string;
  to?: string;
}

/** A webhook delivery, and the endpoint that receives it. */
export interface LoggedDelivery {
  delivery: Opened<WebhookDelivery>;
  webhook: Webhook;
  /**
   * Id of the delivery that replays this delivery, the latest if there are several; null if it was not
   * replayed.
   */
  replayedAsId: string | null;
  /**
   * True while the endpoint's latest attempts have failed, so that new deliveries wait until a retry
   * succeeds.
   */
  isEndpointHeld: boolean;
}

export interface DeliveryServiceDeps {
  webhooks: ScopedRepository<Webhook>;
  deliveries: DeliveryLogRepository;
  outbox: OutboxService;
  keyring: Keyring;
  versions: ApiVersions;
  clock: Clock;
  settings: Pick<Settings, 'webhookTimeoutMs'>;
}

/** Additional time in milliseconds to wait for a test delivery, until a dispatcher starts to send it. */
const TEST_SLACK_MS = 1000;

/** Lists the log of webhook deliveries, and creates replays and tests. */
export class DeliveryService {
  readonly #deps: DeliveryServiceDeps;

  constructor(deps: DeliveryServiceDeps) {
    this.#deps = deps;
  }

  /** Lists webhook deliveries, newest first; `from` is inclusive, `to` exclusive. */
  async list(
    scope: OrgScope,
    { id, webhook_id, event, status, from, to, ...page }: PageQuery & DeliveryFilters,
  ): Promise<Page<LoggedDelivery>> {
    const { deliveries, keyring } = this.#deps;
    const query = deliveries.query(scope);
    if (id !== undefined) query.andWhere('row.id = :id', { id });
    if (webhook_id !== undefined) query.andWhere('row.webhook_id = :webhook_id', { webhook_id });
    if (event !== undefined) query.andWhere('row.event = :event', { event });
    if (status !== undefined) query.andWhere('row.status = :status', { status });
    if (from !== undefined) query.andWhere('row.created_at >= :from', { from });
    if (to !== undefined) query.andWhere('row.created_at < :to', { to });
    const found = await readPage(query, page, keyring);
    return { ...found, items: await this.#withWebhooks(scope, found.items) };
  }

  /**
   * Lists failed deliveries of the endpoint that were not replayed yet, oldest first.
   * @throws AppError `forbidden` or `not_found`; `conflict` for an endpoint that is disabled
   */
  async listFailed(scope: OrgScope, webhookId: string, range: LogRange): Promise<FailedDelivery[]> {
    const { webhooks, deliveries } = this.#deps;
    requireActive(await webhooks.get(scope, webhookId));
    return deliveries.listFailed(scope, webhookId, range);
  }

  /**
   * Replays a webhook delivery: creates and returns a new delivery, and ends the retries of the original.
   * @throws AppError `forbidden` or `not_found`; `conflict` if the original was not attempted yet or the
   *   endpoint is disabled
   */
  async replay(scope: OrgScope, id: string): Promise<LoggedDelivery> {
    const { webhooks, deliveries, outbox } = this.#deps;
    const original = await deliveries.get(scope, id);
    const webhook = await webhooks.lockShared(scope, original.webhookId);
    if (original.status === 'pending')
      throw new AppError(
        'conflict',
        'The delivery is still pending; replay it once it is delivered or has failed.',
      );
    requireActive(webhook);
    const replayId = newId();
    await deliveries.replay(scope, id, replayId);
    if (original.status !== 'delivered')
      await outbox.command(
        scope,
        buildDeliverySignal({ ...original, url: webhook.url }, 'replay', [replayId]),
      );
    const delivery = await deliveries.open(scope, await deliveries.get(scope, replayId));
    return { delivery, webhook, replayedAsId: null, isEndpointHeld: false };
  }

  /**
   * Creates a test delivery with a sample of an event, by default of the endpoint's first event.
   * @throws AppError `forbidden` or `not_found`; `conflict` for an endpoint that is disabled;
   *   `validation_error` for an event that the endpoint does not get
   */
  async startTest(scope: OrgScope, webhookId: string, name?: EventName): Promise<WebhookDelivery> {
    const { webhooks, deliveries, versions, clock } = this.#deps;
    const webhook = await webhooks.lockShared(scope, webhookId);
    requireActive(webhook);
    const [first] = webhook.events as [EventName];
    const event = name ?? first;
    if (!webhook.events.includes(event))
      throw invalidField(
        'event',
        `must be an event that the endpoint receives: ${webhook.events.join(', ')}`,
      );
    const eventId = newId();
    const data = toSampleData(event, {
      event_id: eventId,
      occurred_at: clock.now().toISOString(),
      test: true,
    });
    const { [webhook.apiVersion]: older } = versions.buildOlderEvents(event, data);
    const id = newId();
    await deliveries.insertTest(scope, { id, webhookId, eventId, event, payload: older ?? data });
    return deliveries.get(scope, id);
  }

  /**
   * Waits for the first attempt to send a test delivery, and returns the delivery. Returns it unchanged if no
   * worker has started an attempt in time.
   */
  async waitForTest(scope: OrgScope, id: string): Promise<WebhookDelivery> {
    const { deliveries, settings } = this.#deps;
    const deadline = performance.now() + settings.webhookTimeoutMs + TEST_SLACK_MS;
    await pollUntil(
      () => deliveries.findState(scope, id),
      (state) => state?.status !== 'pending' || state.reason !== null,
      deadline,
    );
    return deliveries.get(scope, id);
  }

  async #withWebhooks(scope: OrgScope, found: WebhookDelivery[]): Promise<LoggedDelivery[]> {
    if (found.length === 0) return [];
    const { webhooks, deliveries } = this.#deps;
    const ids = [...new Set(found.map(({ webhookId }) => webhookId))];
    const [rows, heldIds, replays] = await Promise.all([
      webhooks.query(scope).andWhere('row.id = ANY(:ids)', { ids }).getMany(),
      deliveries.listHeldWebhooks(scope, ids),
      deliveries.listLatestReplays(
        scope,
        found.map(({ id }) => id),
      ),
    ]);
    const byId = new Map(rows.map((webhook) => [webhook.id, webhook]));
    // Skips deliveries whose endpoint was deleted between the two queries: their deletion is in progress.
    const opened = await deliveries.openAll(scope, found);
    return opened.flatMap((delivery) => {
      const webhook = byId.get(delivery.webhookId);
      if (webhook === undefined) return [];
      const replayedAsId = replays.get(delivery.id) ?? null;
      return [{ delivery, webhook, replayedAsId, isEndpointHeld: heldIds.has(webhook.id) }];
    });
  }
}

function requireActive({ isActive }: Webhook): void {
  if (!isActive)
    throw new AppError('conflict', 'The endpoint is disabled, and nothing is sent to it; activate it first.');
}
