import type { Sealed } from '../../database/sealed-columns.ts';
import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { ASYNC_COMMIT } from '../../database/async-commit.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { FAILING_FROM, Webhook } from '../../entities/webhooks/webhook.entity.ts';

/** A webhook delivery leased to this process, with the endpoint's settings at that time. */
export interface ClaimedDelivery {
  id: string;
  orgId: string;
  /** Id of the workspace that pays for the delivery's workspace. */
  payerId: string;
  webhookId: string;
  eventId: string;
  event: string;
  /** JSON text of the field `data` in the delivery's body, as stored, which may be encrypted. */
  data: Sealed<string>;
  /** Id of the data key that encrypts `data`; null for plain text. */
  keyId: string | null;
  attempts: number;
  /** Milliseconds since the event of the delivery happened. */
  ageMs: number;
  isOnDemand: boolean;
  url: string;
  sealedSecret: string;
  apiVersion: string;
  isActive: boolean;
  isFailing: boolean;
  /** Stored number of the endpoint's transient failures since its last success. */
  transientFailures: number;
  traceparent: string | null;
}

const d = aliasTable(WebhookDelivery, 'd');
const b = aliasTable(WebhookDelivery, 'b');
const r = aliasTable(WebhookDelivery, 'r');
const w = aliasTable(Webhook, 'w');
const o = aliasTable(Org, 'o');
const bare = (property: keyof WebhookDelivery) => d.bare(property);

/**
 * Seconds over which deliveries of batched events are collected. They become due together at the next
 * multiple of this time.
 */
export const BATCH_SECONDS = 2;
const BATCH_END = `now() + interval '${BATCH_SECONDS} seconds'`;
/**
 * Maximum number of webhook deliveries in a batch. When an endpoint has this many pending deliveries, they
 * are sent at once.
 */
const FULL_BATCH = 50;

/** SQL condition: no process is sending the webhook delivery. */
export const IS_FREE = `(${bare('leaseExpiresAt')} IS NULL OR ${bare('leaseExpiresAt')} <= now())`;

/**
 * Returns an SQL condition: new deliveries of the webhook endpoint are held back, because the endpoint fails
 * and a retry is pending. The retry shows whether the endpoint has recovered.
 * @param alias alias of the table of endpoints
 */
export function isHeld(alias: string): string {
  const webhook = aliasTable(Webhook, alias);
  return `(${webhook('isActive')} AND ${webhook('transientFailures')} >= ${FAILING_FROM}
  AND (SELECT true FROM ${r.from} WHERE ${r('webhookId')} = ${webhook('id')} AND ${r('status')} = 'retrying'
       ORDER BY ${r('dueAt')} LIMIT 1) IS NOT NULL)`;
}

/** Columns that a process needs to send delivery `d` to endpoint `w`. */
export const CLAIMED_COLUMNS = `
    ${d.as('id', 'orgId', 'webhookId', 'eventId', 'event')}, ${d('payload')}::text AS data, ${d.as('keyId')},
    ${d.as('attempts', 'isOnDemand', 'traceparent')}, ${w.as('url', 'sealedSecret', 'apiVersion', 'isActive')},
    (SELECT ${o('payerId')} FROM ${o.from} WHERE ${o('id')} = ${d('orgId')}) AS "payerId",
    ${w('consecutiveFailures')} > 0 AS "isFailing", ${w.as('transientFailures')},
    extract(epoch FROM now() - ${d('createdAt')})::float8 * 1000 AS "ageMs"`;

/**
 * Columns that a leasing statement must return, so that `CLAIMED_COLUMNS` can be selected from its result.
 */
export const LEASED_COLUMNS = d.bare(
  'id',
  'orgId',
  'webhookId',
  'eventId',
  'event',
  'payload',
  'keyId',
  'attempts',
  'isOnDemand',
  'traceparent',
  'createdAt',
);

/**
 * Builds the part of a statement that leases webhook deliveries by their ids. PostgreSQL then never reads an
 * endpoint's whole log for a join. Commits asynchronously: a lease that a server crash loses does no harm.
 */
const buildLease = (picked: string, leaseSeconds: string) => `${ASYNC_COMMIT}, leased AS (
      UPDATE ${d.table} SET ${bare('leaseExpiresAt')} = now() + make_interval(secs => ${leaseSeconds})
      WHERE ${bare('id')} = ANY(ARRAY(${picked}))
      RETURNING ${LEASED_COLUMNS}
    )
    SELECT ${CLAIMED_COLUMNS}
    FROM async_commit, leased d JOIN ${w.from} ON ${w('id')} = ${d('webhookId')} AND ${w('deletedAt')} IS NULL`;

const NO_ENDPOINT = "'00000000-0000-0000-0000-000000000000'::uuid";

/**
 * Builds a query for the workspace's endpoints with pending deliveries of a kind, in order. PostgreSQL looks
 * up an endpoint only when the statement needs it.
 */
const buildEndpointWalk = (after: string, name: string, isOnDemand: boolean) => {
  const kind = `${isOnDemand ? '' : 'NOT '}${bare('isOnDemand')}`;
  const probe = (last: string) => `
          (SELECT ${d('webhookId')} FROM ${d.from}
           WHERE ${d('status')} = 'pending' AND ${d('orgId')} = turn.id AND ${kind} AND ${d('webhookId')} > ${last}
           ORDER BY ${d('webhookId')}, ${d('dueAt')} LIMIT 1)`;
  return `${name}(webhook_id) AS (${probe(after)}
          UNION ALL
          SELECT ${probe(`${name}.webhook_id`)} FROM ${name} WHERE ${name}.webhook_id IS NOT NULL)`;
};

/**
 * Finds each workspace with pending deliveries by one index lookup, and the workspace's endpoints by further
 * lookups, until enough deliveries are taken. No backlog delays other workspaces; a workspace that already
 * has its share costs one lookup. Each step is a subquery with a limit, so that PostgreSQL cannot reorder
 * them. Each step sorts like the index of pending rows, because other indexes would read the whole log.
 */
export const CLAIM_FIRST_ATTEMPTS = defineStatement<ClaimedDelivery>({
  name: 'claim-first-attempts',
  because: 'Walks an index recursively and leases its hits with SKIP LOCKED (bench webhooks/throughput).',
  isPrepared: true,
  text: `
    WITH RECURSIVE org(id) AS (
      (SELECT ${bare('orgId')} FROM ${d.table} WHERE ${bare('status')} = 'pending' ORDER BY ${d.bare('orgId', 'isOnDemand')} LIMIT 1)
      UNION ALL
      SELECT (SELECT ${d('orgId')} FROM ${d.from}
              WHERE ${d('status')} = 'pending' AND ${d('orgId')} > org.id ORDER BY ${d('orgId')}, ${d('isOnDemand')} LIMIT 1)
      FROM org WHERE org.id IS NOT NULL
    ), turn AS MATERIALIZED (
      SELECT id, coalesce(($2::jsonb ->> id::text)::int, $3::int) AS room,
             coalesce(($4::jsonb ->> id::text)::uuid, ${NO_ENDPOINT}) AS after_endpoint
      FROM org WHERE id IS NOT NULL ORDER BY id <= $1::uuid, id
    ), picked AS (
      SELECT of_workspace.id FROM turn
      CROSS JOIN LATERAL (
        WITH RECURSIVE ${buildEndpointWalk(NO_ENDPOINT, 'asked', true)},
        ${buildEndpointWalk('turn.after_endpoint', 'later', false)},
        ${buildEndpointWalk(NO_ENDPOINT, 'earlier', false)}
        SELECT of_endpoint.id
        FROM (SELECT webhook_id, true AS is_asked, true AS is_first FROM asked
              UNION ALL SELECT webhook_id, false, false FROM later
              UNION ALL SELECT webhook_id, false, false FROM earlier WHERE webhook_id <= turn.after_endpoint
              UNION ALL SELECT webhook_id, true, false FROM asked) waiting
        CROSS JOIN LATERAL (
          SELECT ${w('id')}, NOT waiting.is_asked AND ${isHeld('w')} AS is_held,
            coalesce((CASE WHEN waiting.is_first THEN $10::jsonb ELSE $5::jsonb END ->> ${w('id')}::text)::int,
                     CASE WHEN waiting.is_first THEN $11::int
                          WHEN ${w('consecutiveFailures')} > 0 THEN $7::int ELSE $6::int END) AS room,
            NOT waiting.is_asked AND (SELECT count(*) = ${FULL_BATCH} FROM (
               SELECT FROM ${b.from}
               WHERE ${b('orgId')} = turn.id AND NOT ${b('isOnDemand')} AND ${b('webhookId')} = ${w('id')}
                 AND ${b('status')} = 'pending'
                 AND ${b('dueAt')} > now() AND ${b('dueAt')} <= ${BATCH_END} AND ${IS_FREE}
               ORDER BY ${b('dueAt')} LIMIT ${FULL_BATCH}) batch) AS is_full
          FROM ${w.from} WHERE ${w('id')} = waiting.webhook_id AND ${w('deletedAt')} IS NULL LIMIT 1
        ) lane
        CROSS JOIN LATERAL (
          SELECT ${bare('id')} FROM ${d.table}
          WHERE ${bare('orgId')} = turn.id AND ${bare('isOnDemand')} = waiting.is_asked AND ${bare('webhookId')} = lane.id
            AND ${bare('status')} = 'pending'
            AND ${bare('dueAt')} <= CASE WHEN lane.is_full THEN ${BATCH_END} ELSE now() END AND ${IS_FREE}
          ORDER BY ${bare('dueAt')} LIMIT CASE WHEN lane.is_held THEN 0
                                     WHEN lane.is_full THEN greatest(lane.room, ${FULL_BATCH}) ELSE lane.room END
          FOR UPDATE SKIP LOCKED
        ) of_endpoint
        LIMIT turn.room
      ) of_workspace
      LIMIT $8
    ), ${buildLease('SELECT id FROM picked', '$9')}`,
});

/**
 * Leases a webhook delivery for a retry. Parameters: $1 delivery id, $2 workspace id, $3 lease in seconds, $4
 * expected number of attempts so far, or null.
 */
export const CLAIM_RETRY = defineStatement<ClaimedDelivery>({
  name: 'claim-retry',
  because: 'Leases the row and returns it with its endpoint in one snapshot.',
  isPrepared: true,
  text: `WITH ${buildLease(
    `SELECT ${bare('id')} FROM ${d.table} WHERE ${bare('id')} = $1 AND ${bare('orgId')} = $2 AND ${bare('status')} = 'retrying' AND ${IS_FREE}
       AND ($4::int IS NULL OR ${bare('attempts')} = $4) FOR UPDATE`,
    '$3',
  )}`,
});

/**
 * Extends the leases of webhook deliveries. Skips locked rows, because statements that write results lock the
 * same rows in another order. Parameters: $1 delivery ids, $2 lease in seconds.
 */
export const RENEW_LEASES = defineStatement<{ id: string }>({
  name: 'renew-leases',
  because: 'Skips locked rows in an UPDATE.',
  acrossWorkspaces: 'A process renews its own leases.',
  isPrepared: true,
  text: `
  UPDATE ${d.table} SET ${bare('leaseExpiresAt')} = now() + make_interval(secs => $2)
  WHERE ${bare('id')} = ANY(ARRAY(
    SELECT ${bare('id')} FROM ${d.table}
    WHERE ${bare('id')} = ANY($1) AND ${bare('leaseExpiresAt')} IS NOT NULL AND ${bare('status')} IN ('pending', 'retrying')
    FOR UPDATE SKIP LOCKED
  ))
  RETURNING ${bare('id')}`,
});
