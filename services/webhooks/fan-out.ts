import { shippedVersions, type ApiVersions } from '../../core/api-versions.ts';
import type { Database, PreparedStatement } from '../../database/database.ts';
import type { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { DELIVERIES_CHANNEL } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { AT_ONCE } from '../../database/at-once.ts';
import {
  BATCH_SECONDS,
  CLAIMED,
  IS_FREE,
  type ClaimedDelivery,
} from '../../repositories/webhooks/delivery-queue.repository.ts';
import { batchedEvents, type EventStamp } from './event-catalogue.ts';

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
 * A UUIDv7 that is the same whenever the event `e` is delivered to the endpoint `w`: with the time of the event's own id,
 * and for the rest a digest of both.
 */
const DELIVERY_ID = `overlay(overlay(left(encode(sha256(convert_to(e.id::text || w.id, 'UTF8')), 'hex'), 32)
  placing left(replace(e.id::text, '-', ''), 12) || '7' FROM 1) placing '8' FROM 17)::uuid`;

/** What is not batched is due by a time that is cut, not rounded up: the dispatcher comes within the same millisecond. */
const DUE_AT = `CASE WHEN e.name = ANY($2::text[])
                  THEN to_timestamp(ceil(extract(epoch FROM now()) / ${BATCH_SECONDS}) * ${BATCH_SECONDS})
                  ELSE date_trunc('milliseconds', now()) END`;

/**
 * Of those events that are still in the outbox, and which nobody else is taking out of it. The commit waits for no disk, for
 * the outbox has them until it is there: a server that dies before makes the same deliveries again, and what they come to is
 * recorded by commits that wait.
 * @param lease of a delivery to the endpoint `w`, the event's `nth`, if it is not to wait for a claim
 */
const deliveriesOf = (lease: string, returning: string) => `
    WITH ${AT_ONCE}, given AS (
      SELECT * FROM json_to_recordset($1::json)
        AS e(id uuid, org_id uuid, bot_id uuid, name text, data json, older json, traceparent text)
    ), taken AS (
      DELETE FROM outbox WHERE id = ANY(ARRAY(
        SELECT id FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM given, at_once)) FOR UPDATE SKIP LOCKED))
      RETURNING id
    ), event AS (
      SELECT * FROM given WHERE id = ANY(ARRAY(SELECT id FROM taken))
    ), delivery AS (
      INSERT INTO webhook_deliveries
        (id, org_id, webhook_id, event_id, event, payload, traceparent, due_at, lease_expires_at)
      SELECT ${DELIVERY_ID}, w.org_id, w.id, e.id, e.name, coalesce(e.older -> w.api_version, e.data), e.traceparent,
             ${DUE_AT}, ${lease}
      FROM event e
      JOIN webhooks w ON w.org_id = e.org_id AND w.is_active AND e.name = ANY(w.events)
                     AND (w.bot_id IS NULL OR w.bot_id = e.bot_id)
      ORDER BY e.id
      ON CONFLICT (webhook_id, event_id) WHERE NOT is_on_demand DO NOTHING
      RETURNING ${returning}
    )`;

const FAN_OUT: PreparedStatement = {
  name: 'webhook-fan-out',
  text: `${deliveriesOf('NULL', 'id')}
    SELECT pg_notify('${DELIVERIES_CHANNEL}', '') FROM (SELECT FROM delivery LIMIT 1) AS any_delivery`,
};

/** Nothing that is due waits for the endpoint, and the last attempt did not fail. */
const IS_OPEN = `w.consecutive_failures = 0 AND (
      SELECT true FROM webhook_deliveries d
      WHERE d.status = 'pending' AND d.org_id = w.org_id AND NOT d.is_on_demand AND d.webhook_id = w.id
        AND d.due_at <= now() AND ${IS_FREE}
      ORDER BY d.due_at LIMIT 1) IS NULL`;

/** Leases as many as have places. Returns those, and wakes the dispatchers for any others. */
const FAN_OUT_AND_LEASE: PreparedStatement = {
  name: 'webhook-fan-out-and-lease',
  text: `${deliveriesOf(
    `CASE WHEN row_number() OVER (ORDER BY e.id) <= $3::int AND e.name <> ALL($2::text[])
          THEN CASE WHEN ${IS_OPEN} THEN now() + make_interval(secs => $4) END END`,
    'id, org_id, webhook_id, event, payload, attempts, is_on_demand, traceparent, created_at, lease_expires_at',
  )}
    SELECT ${CLAIMED}, d.lease_expires_at IS NOT NULL AS "isLeased",
           CASE WHEN d.lease_expires_at IS NULL THEN pg_notify('${DELIVERIES_CHANNEL}', '')::text END AS told
    FROM delivery d JOIN webhooks w ON w.id = d.webhook_id`,
};

/**
 * Makes the deliveries of events to all endpoints that want them, as the version of each endpoint has it. The same event
 * again makes none.
 */
export class WebhookFanOut {
  readonly #versions: ApiVersions;
  readonly #reserve: Reserve;

  constructor(versions = shippedVersions, reserve: Reserve = () => undefined) {
    this.#versions = versions;
    this.#reserve = reserve;
  }

  /** Takes the events out of the outbox. @param db goes with the commit of a transaction, or is one statement */
  async deliver(db: Database, events: readonly OutboxRow[]): Promise<void> {
    const rows = JSON.stringify(events.map((event) => this.#rowOf(event)));
    const places = this.#reserve();
    if (!places || events.length > places.count) return atLast(db, FAN_OUT, [rows, batchedEvents]);
    const values = [rows, batchedEvents, places.count, places.leaseSeconds];
    await atLast<ClaimedDelivery & { isLeased: boolean }>(db, FAN_OUT_AND_LEASE, values, (deliveries) => {
      const leased = deliveries.filter(({ isLeased }) => isLeased);
      if (leased.length > 0) places.fill(leased);
    });
  }

  #rowOf({ id, orgId, botId, name, payload, traceparent, createdAt }: OutboxRow): object {
    const stamp: EventStamp = { event_id: id, occurred_at: createdAt.toISOString() };
    const data = { ...payload, ...stamp };
    const older = this.#versions.olderEvents(name, data);
    return { id, org_id: orgId, bot_id: botId, name, data, older, traceparent };
  }
}

/** @param onCommitted gets what nobody may see before */
async function atLast<Row>(
  db: Database,
  statement: PreparedStatement,
  values: unknown[],
  onCommitted: (rows: Row[]) => void = () => {},
): Promise<void> {
  if (db.isTransaction) db.preparedWithCommit(statement, values, onCommitted);
  else onCommitted(await db.prepared<Row>(statement, values));
}
