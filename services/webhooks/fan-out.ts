import { shippedVersions, type ApiVersions } from '../../core/api-versions.ts';
import type { Database } from '../../database/database.ts';
import { beginningOfHour } from '../../core/hours.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { FanOutRepository, type EventToDeliver } from '../../repositories/webhooks/fan-out.repository.ts';
import { alertOf } from '../alerts/alert-of-event.ts';
import { batchedEvents, type EventName, type EventStamp } from './event-catalogue.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

/** Places for deliveries that are sent as soon as they exist. */
export interface Reservation {
  count: number;
  leaseSeconds: number;
  /** Sends what has been leased for it. */
  fill(deliveries: ClaimedDelivery[]): void;
}

/** Undefined while anything waits: then everything has to take its turn. */
export type Reserve = () => Reservation | undefined;

/**
 * Makes the deliveries of events to all endpoints that want them, as the version of each endpoint has it. The same event
 * again makes none.
 */
export class WebhookFanOut {
  readonly #rows = new FanOutRepository();
  readonly #versions: ApiVersions;
  readonly #reserve: Reserve;

  constructor(versions = shippedVersions, reserve: Reserve = () => undefined) {
    this.#versions = versions;
    this.#reserve = reserve;
  }

  /** Takes the events out of the outbox. @param db goes with the commit of a transaction, or is one statement */
  async deliver(db: Database, events: readonly OutboxRow[]): Promise<void> {
    const given = events.map((event) => this.#eventOf(event));
    const places = this.#reserve();
    if (!places || events.length > places.count) return this.#rows.deliver(db, given);
    await this.#rows.deliverAndLease(db, given, places, (deliveries) => places.fill(deliveries));
  }

  #eventOf({ id, orgId, botId, name, payload, traceparent, createdAt }: OutboxRow): EventToDeliver {
    const stamp: EventStamp = { event_id: id, occurred_at: createdAt.toISOString() };
    const data = { ...payload, ...stamp };
    const older = this.#versions.olderEvents(name, data);
    return {
      id,
      orgId,
      botId,
      name,
      hour: beginningOfHour(createdAt),
      alert: alertOf({ name, payload, createdAt }),
      isBatched: batchedEvents.includes(name as EventName),
      data,
      older,
      traceparent,
    };
  }
}
