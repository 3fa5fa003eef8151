import { shippedVersions, type ApiVersions } from '../../core/api-versions.ts';
import type { Database, PreparedStatement } from '../../entities/database.ts';
import type { OutboxRow } from '../../entities/outbox.entity.ts';
import { DELIVERIES_CHANNEL } from '../../entities/webhook-delivery.entity.ts';
import { BATCH_SECONDS } from '../../repositories/delivery-queue.repository.ts';
import { batchedEvents, type EventStamp } from './event-catalogue.ts';

/** A UUIDv7 made by PostgreSQL, whose own function came with version 18. */
const UUID_V7 = `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
  placing substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
  52, 1), 53, 1), 'hex')::uuid`;

/** What is not batched is due by a time that is cut, not rounded up: the dispatcher comes within the same millisecond. */
const FAN_OUT: PreparedStatement = {
  name: 'webhook-fan-out',
  text: `
    WITH event AS (
      SELECT * FROM json_to_recordset($1::json)
        AS e(id text, org_id uuid, bot_id uuid, name text, data json, older json, traceparent text)
    ), delivery AS (
      INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, traceparent, due_at)
      SELECT ${UUID_V7}, w.org_id, w.id, e.id, e.name, coalesce(e.older -> w.api_version, e.data), e.traceparent,
             CASE WHEN e.name = ANY($2::text[])
                  THEN to_timestamp(ceil(extract(epoch FROM now()) / ${BATCH_SECONDS}) * ${BATCH_SECONDS})
                  ELSE date_trunc('milliseconds', now()) END
      FROM event e
      JOIN webhooks w ON w.org_id = e.org_id AND w.is_active AND e.name = ANY(w.events)
                     AND (w.bot_id IS NULL OR w.bot_id = e.bot_id)
      ORDER BY e.id
      ON CONFLICT (webhook_id, event_id) WHERE NOT is_on_demand DO NOTHING
      RETURNING id
    )
    SELECT pg_notify('${DELIVERIES_CHANNEL}', '') FROM (SELECT FROM delivery LIMIT 1) AS any_delivery`,
};

/**
 * Makes the deliveries of events to all endpoints that want them, as the version of each endpoint has it. The same event
 * again makes none.
 */
export class WebhookFanOut {
  readonly #versions: ApiVersions;

  constructor(versions = shippedVersions) {
    this.#versions = versions;
  }

  /** @param db a transaction */
  async deliver(db: Database, events: readonly OutboxRow[]): Promise<void> {
    const rows = events.map(({ id, orgId, botId, name, payload, traceparent, createdAt }) => {
      const stamp: EventStamp = { event_id: id, occurred_at: createdAt.toISOString() };
      const data = { ...payload, ...stamp };
      const older = this.#versions.olderEvents(name, data);
      return { id, org_id: orgId, bot_id: botId, name, data, older, traceparent };
    });
    db.preparedWithCommit(FAN_OUT, [JSON.stringify(rows), batchedEvents]);
  }
}
