import { shippedVersions, type ApiVersions } from '../../core/api-versions.ts';
import type { Database } from '../../database/database.ts';
import { startOfHour } from '../../core/hours.ts';
import { loadCurrentKeys, peekCurrentKeys, requireContent, sealRowWith } from '../../database/content.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { FanOutRepository, type EventToDeliver } from '../../repositories/webhooks/fan-out.repository.ts';
import { toAlert } from '../alerts/event-to-alert.ts';
import { batchedEvents, contentEvents, type EventName, type EventStamp } from './event-catalog.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

const delivery = requireContent(WebhookDelivery);

/** Capacity of this process's dispatcher that was reserved for up to `count` webhook deliveries. */
interface Reservation {
  count: number;
  /**
   * Endpoints whose deliveries the dispatcher must not lease, because many of their deliveries are leased
   * already.
   */
  fullEndpoints: string[];
  leaseSeconds: number;
  /**
   * Gives the dispatcher the deliveries that were created with its lease. The dispatcher sends them at once.
   */
  fill(deliveries: ClaimedDelivery[]): void;
}

/**
 * Function that reserves capacity in the dispatcher of this process. Returns undefined while the dispatcher
 * has no free capacity.
 */
export type Reserve = () => Reservation | undefined;

/**
 * Creates the webhook deliveries of events: one for each subscribed endpoint, in the endpoint's API version.
 * A repeated call for the same event creates no further deliveries.
 */
export class WebhookFanOut {
  readonly #rows = new FanOutRepository();
  readonly #versions: ApiVersions;
  readonly #reserve: Reserve;

  constructor(versions = shippedVersions, reserve: Reserve = () => undefined) {
    this.#versions = versions;
    this.#reserve = reserve;
  }

  /**
   * Creates the webhook deliveries of events, and removes the events from the outbox.
   * @param db transaction, which sends the statement together with COMMIT; or the database, which runs the
   *   statement alone
   * @throws AppError `key_unavailable`
   */
  async deliver(db: Database, events: readonly Opened<OutboxRow>[]): Promise<void> {
    const keys = await loadEventKeys(db, events);
    const toDeliver = events.map((event) => this.#toEvent(event, keys.get(event.orgId) ?? null));
    const slots = this.#reserve();
    if (!slots || events.length > slots.count) return this.#rows.deliver(db, toDeliver);
    await this.#rows.deliverAndLease(db, toDeliver, slots, (deliveries) => slots.fill(deliveries));
  }

  #toEvent(
    { id, orgId, botId, name, payload, traceparent, createdAt }: Opened<OutboxRow>,
    key: ContentKey | null,
  ): EventToDeliver {
    const stamp: EventStamp = { event_id: id, occurred_at: createdAt.toISOString() };
    const data = { ...payload, ...stamp };
    const older = Object.entries(this.#versions.buildOlderEvents(name, data));
    return {
      id,
      orgId,
      botId,
      name,
      hour: startOfHour(createdAt),
      alert: toAlert({ name, payload, createdAt }),
      isBatched: batchedEvents.includes(name as EventName),
      data: sealEventPayload(id, data, key),
      older: Object.fromEntries(
        older.map(([version, olderData]) => [version, sealEventPayload(id, olderData, key)]),
      ),
      keyId: key?.id ?? null,
      traceparent,
    };
  }
}

/**
 * Returns the keys that encrypt webhook deliveries. A decrypted key also encrypts events without content,
 * because receivers may return content in their responses. The relay has already decrypted the keys that
 * events with content need.
 */
async function loadEventKeys(
  db: Database,
  events: readonly Opened<OutboxRow>[],
): Promise<Map<string, ContentKey | null>> {
  const unwrappedKeys = await peekCurrentKeys(
    db,
    events.map(({ orgId }) => orgId),
  );
  const eventsWithoutKey = events.filter(
    ({ name, orgId }) => contentEvents.has(name) && !unwrappedKeys.has(orgId),
  );
  const needed = await loadCurrentKeys(
    db,
    eventsWithoutKey.map(({ orgId }) => orgId),
  );
  return new Map([...unwrappedKeys, ...needed]);
}

/** Encrypts the payload of an event once, for all of its webhook deliveries. */
function sealEventPayload(eventId: string, payload: object, key: ContentKey | null): object {
  return key === null ? payload : sealRowWith(delivery, key, { eventId, payload }).payload;
}
