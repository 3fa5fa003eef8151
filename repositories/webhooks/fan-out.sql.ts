import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { ASYNC_COMMIT } from '../../database/async-commit.ts';
import { ALERT_COLUMNS, buildAlertInserts } from '../alerts/alert-fan-out.sql.ts';
import { buildEventCounts } from '../alerts/event-count.sql.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { DELIVERIES_CHANNEL, WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { BATCH_SECONDS, CLAIMED_COLUMNS, IS_FREE, LEASED_COLUMNS } from './delivery-queue.sql.ts';
import type { ClaimedDelivery } from './delivery-queue.sql.ts';

const d = aliasTable(WebhookDelivery, 'd');
const w = aliasTable(Webhook, 'w');
const o = aliasTable(OutboxRow, 'o');

/**
 * SQL for the id of the delivery of event `e` to webhook endpoint `w`, a UUIDv7. The id consists of the time
 * from the event's id and a digest of both ids, so a repetition gives the same id.
 */
const DELIVERY_ID = `overlay(overlay(left(encode(sha256(convert_to(e.id::text || ${w('id')}, 'UTF8')), 'hex'), 32)
  placing left(replace(e.id::text, '-', ''), 12) || '7' FROM 1) placing '8' FROM 17)::uuid`;

/**
 * SQL for the time at which a webhook delivery becomes due: the end of the batch, or now. Now is truncated to
 * milliseconds: a rounded time could be in the future when the dispatcher reads.
 */
const DUE_AT = `CASE WHEN e."isBatched"
                  THEN to_timestamp(ceil(extract(epoch FROM now()) / ${BATCH_SECONDS}) * ${BATCH_SECONDS})
                  ELSE date_trunc('milliseconds', now()) END`;

/**
 * Builds SQL that creates webhook deliveries of events that are still in the outbox and that no other process
 * is taking. Commits asynchronously: until the commit is durable, the events remain in the outbox. After a
 * crash, the same deliveries are created again; their results are stored with synchronous commits.
 * @param lease SQL for the lease of a delivery to the endpoint `w`; null creates deliveries without a lease
 */
const buildDeliveryInserts = (lease: string, returning: string) => `
    WITH ${ASYNC_COMMIT}, requested AS (
      SELECT * FROM json_to_recordset($1::json)
        AS e(id uuid, "orgId" uuid, "botId" uuid, name text, hour timestamptz, "isBatched" boolean, data json, older json, traceparent text, "keyId" uuid, ${ALERT_COLUMNS})
    ), taken AS (
      DELETE FROM ${o.table} WHERE ${o.bare('id')} = ANY(ARRAY(
        SELECT ${o('id')} FROM ${o.from} WHERE ${o('id')} = ANY(ARRAY(SELECT id FROM requested, async_commit)) FOR UPDATE SKIP LOCKED))
      RETURNING ${o.bare('id')}
    ), event AS (
      SELECT * FROM requested WHERE id = ANY(ARRAY(SELECT id FROM taken))
    ), ${buildEventCounts('event')}, ${buildAlertInserts('event')}, delivery AS (
      INSERT INTO ${d.table}
        (${d.bare('id', 'orgId', 'webhookId', 'eventId', 'event', 'payload', 'traceparent', 'keyId', 'dueAt', 'leaseExpiresAt')})
      SELECT ${DELIVERY_ID}, ${w('orgId')}, ${w('id')}, e.id, e.name, coalesce(e.older -> ${w('apiVersion')}, e.data),
             e.traceparent, e."keyId", ${DUE_AT}, ${lease}
      FROM event e
      JOIN ${w.from} ON ${w('orgId')} = e."orgId" AND ${w('isActive')} AND e.name = ANY(${w('events')})
                     AND (${w('botId')} IS NULL OR ${w('botId')} = e."botId")
      ORDER BY e.id
      ON CONFLICT (${d.bare('webhookId', 'eventId')}) WHERE NOT ${d.bare('isOnDemand')} DO NOTHING
      RETURNING ${returning}
    )`;

/** Creates webhook deliveries of outbox events. Parameters: $1 JSON list of `EventToDeliver`s. */
export const FAN_OUT = defineStatement({
  name: 'webhook-fan-out',
  because: 'Moves events from the outbox to all subscribed endpoints in one step (bench webhooks/fan-out).',
  isPrepared: true,
  text: `${buildDeliveryInserts('NULL', d.bare('id'))}
    SELECT pg_notify('${DELIVERIES_CHANNEL}', '') FROM (SELECT FROM delivery LIMIT 1) AS any_delivery`,
});

/**
 * SQL condition: deliveries to the webhook endpoint can be leased. The endpoint is not in $4, its last
 * attempt did not fail, and it has no other due deliveries.
 */
const CAN_BE_LEASED = `${w('id')} <> ALL($4::uuid[]) AND ${w('consecutiveFailures')} = 0 AND (
      SELECT true FROM ${d.from}
      WHERE ${d('status')} = 'pending' AND ${d('orgId')} = ${w('orgId')} AND NOT ${d('isOnDemand')}
        AND ${d('webhookId')} = ${w('id')} AND ${d('dueAt')} <= now() AND ${IS_FREE}
      ORDER BY ${d('dueAt')} LIMIT 1) IS NULL`;

/**
 * Creates webhook deliveries and leases some of them to this process. Returns the leased deliveries, and
 * notifies dispatchers of all other deliveries. Parameters: $1 JSON list of `EventToDeliver`s, $2 maximum
 * number of leases, $3 lease in seconds, $4 endpoints whose deliveries are not leased.
 */
export const FAN_OUT_AND_LEASE = defineStatement<ClaimedDelivery & { isLeased: boolean }>({
  name: 'webhook-fan-out-and-lease',
  because: 'Avoids a separate claim for the delivery of a single event (bench webhooks/steady).',
  isPrepared: true,
  text: `${buildDeliveryInserts(
    `CASE WHEN row_number() OVER (ORDER BY e.id) <= $2::int AND NOT e."isBatched"
          THEN CASE WHEN ${CAN_BE_LEASED} THEN now() + make_interval(secs => $3) END END`,
    `${LEASED_COLUMNS}, ${d.bare('leaseExpiresAt')}`,
  )}
    SELECT ${CLAIMED_COLUMNS}, ${d('leaseExpiresAt')} IS NOT NULL AS "isLeased",
           CASE WHEN ${d('leaseExpiresAt')} IS NULL THEN pg_notify('${DELIVERIES_CHANNEL}', '')::text END AS notified
    FROM delivery d JOIN ${w.from} ON ${w('id')} = ${d('webhookId')}`,
});
