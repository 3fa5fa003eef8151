import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';

/** Health of a webhook endpoint: counts and times of its failures and successes. */
export type WebhookHealth = Pick<
  Webhook,
  | 'isActive'
  | 'deliveryCount'
  | 'failureCount'
  | 'consecutiveFailures'
  | 'transientFailures'
  | 'failingSince'
  | 'lastError'
  | 'lastSuccessAt'
  | 'lastFailureAt'
  | 'disabledAt'
>;

export type WebhookWithHealth = Pick<Webhook, 'id'> & WebhookHealth;

export interface LockedWebhook extends WebhookWithHealth, Pick<Webhook, 'orgId' | 'botId' | 'url'> {
  /** Start time of the transaction that stores the results. */
  now: Date;
}

/** Number of a workspace's webhook deliveries that have retry workflows, up to a limit. */
export interface WorkflowCount {
  orgId: string;
  retrying: number;
  /** Number of recently failed deliveries, whose workflows wait for a replay. */
  failed: number;
  /** Ids of the given endpoints that have a delivery with the status `retrying`. */
  retryingWebhookIds: string[];
}

const d = aliasTable(WebhookDelivery, 'd');
const w = aliasTable(Webhook, 'w');

/** Builds SQL that locks webhook endpoints in the order of their ids, so that processes do not deadlock. */
const buildLockedWebhooks = (ids: string, columns: string) => `
    SELECT ${columns} FROM ${w.from}
    WHERE ${w('id')} = ANY(${ids}) AND ${w('deletedAt')} IS NULL
    ORDER BY ${w('id')} FOR NO KEY UPDATE`;

/**
 * Returns an SQL condition: no other process has processed the delivery since it was claimed. After a lost
 * lease, the number of attempts would differ.
 */
const isStillOwnSql = (attempts: string) =>
  `${d('attempts')} = ${attempts} AND ${d('status')} IN ('pending', 'retrying')`;

/**
 * Returns SQL for the response body, or null if the delivery's row has another data key by now: the row has
 * one key for all its content.
 */
const buildStoredBody = (body: string, keyId: string) =>
  `CASE WHEN ${d('keyId')} IS NOT DISTINCT FROM ${keyId} THEN ${body} END`;

/**
 * Stores results if all webhook deliveries succeeded at their first attempt, as nearly all do. A success only
 * resets the endpoint's failures. Parameters: $1 delivery ids; $2 endpoint ids; $3 URLs; $4 response
 * statuses; $5 response bodies; $6 milliseconds; $7 data keys.
 */
export const WRITE_FIRST_ATTEMPT_SUCCESSES = defineStatement({
  name: 'write-first-attempt-successes',
  because:
    'Handles nearly all deliveries in one statement that is its own transaction (bench webhooks/steady).',
  acrossWorkspaces: 'A dispatcher writes the results of its own claims, whose rows contain the workspace.',
  isPrepared: true,
  text: `
  WITH result AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::int[], $7::uuid[])
      AS r (id, webhook_id, url, response_status, response_body, duration_ms, key_id)
  ), endpoint AS (${buildLockedWebhooks('ARRAY(SELECT webhook_id FROM result)', w.as('id', 'url'))}
  ), written AS (
    UPDATE ${d.from} SET
      (${d.bare('status', 'attempts', 'reason', 'responseStatus', 'responseBody', 'durationMs', 'deliveredAt', 'leaseExpiresAt')})
      = ('delivered', 1, NULL, r.response_status, ${buildStoredBody('r.response_body', 'r.key_id')}, r.duration_ms, now(), NULL)
    FROM result r JOIN endpoint e ON e.id = r.webhook_id
    WHERE ${d('id')} = r.id AND ${isStillOwnSql('0')}
    RETURNING r.webhook_id, r.url = e.url AS is_current_url
  )
  UPDATE ${w.from} SET
    ${w.bare('deliveryCount')} = ${w('deliveryCount')} + taken.count,
    (${w.bare('transientFailures', 'consecutiveFailures', 'failingSince', 'lastSuccessAt')}) = (0, 0, NULL, now())
  FROM (SELECT webhook_id, count(*) FROM written WHERE is_current_url GROUP BY webhook_id) taken
  WHERE ${w('id')} = taken.webhook_id`,
});

/** Locks webhook endpoints. Parameters: $1 endpoint ids. */
export const LOCK_WEBHOOKS = defineStatement<LockedWebhook>({
  name: 'lock-webhooks',
  because: 'Shares a round trip with the next statement, which TypeORM’s query builder would delay.',
  acrossWorkspaces: 'A dispatcher writes the results of its own claims, whose rows contain the workspace.',
  isPrepared: true,
  text: buildLockedWebhooks(
    '$1',
    `${w.as('id', 'orgId', 'botId', 'url', 'isActive', 'deliveryCount', 'failureCount', 'consecutiveFailures', 'transientFailures')},
     ${w.as('failingSince', 'lastError', 'lastSuccessAt', 'lastFailureAt', 'disabledAt')}, now() AS "now"`,
  ),
});

/**
 * Counts the webhook deliveries that have retry workflows. Parameters: $1 endpoint ids, $2 maximum number to
 * count, $3 hours for which workflows of failed deliveries wait.
 */
export const COUNT_WORKFLOWS = defineStatement<WorkflowCount>({
  name: 'count-retry-workflows',
  because: 'Counts only up to a limit, in the round trip of the previous statement.',
  acrossWorkspaces: 'A dispatcher writes the results of its own claims, whose rows contain the workspace.',
  isPrepared: true,
  text: `
  SELECT ${w('orgId')} AS "orgId", coalesce(array_agg(${w('id')}) FILTER (WHERE EXISTS (
      SELECT FROM ${d.from} WHERE ${d('webhookId')} = ${w('id')} AND ${d('status')} = 'retrying')), '{}') AS "retryingWebhookIds",
    (SELECT count(*)::int FROM (SELECT FROM ${d.from}
       WHERE ${d('orgId')} = ${w('orgId')} AND ${d('status')} = 'retrying' LIMIT $2) counted) AS "retrying",
    (SELECT count(*)::int FROM (SELECT FROM ${d.from}
       WHERE ${d('orgId')} = ${w('orgId')} AND ${d('status')} = 'failed'
         AND ${d('createdAt')} > now() - make_interval(hours => $3::int) LIMIT $2) counted) AS "failed"
  FROM ${w.from} WHERE ${w('id')} = ANY($1) GROUP BY ${w('orgId')}`,
});

/**
 * Stores results of webhook deliveries and returns the ids of the stored results. Parameters: $1 JSON list of
 * `DeliveryResult`s.
 */
export const WRITE_RESULTS = defineStatement<{ id: string; traceparent: string | null }>({
  name: 'write-delivery-results',
  because: 'Updates many rows with different values (bench webhooks/failing).',
  acrossWorkspaces: 'A dispatcher writes the results of its own claims, whose rows contain the workspace.',
  isPrepared: true,
  text: `
  UPDATE ${d.from} SET
    ${d.bare('status')} = r.status, ${d.bare('attempts')} = r.attempts + r."isAttempt"::int, ${d.bare('reason')} = r.reason,
    ${d.bare('responseStatus')} = r."responseStatus", ${d.bare('responseBody')} = ${buildStoredBody('r."responseBody"', 'r."keyId"')},
    ${d.bare('durationMs')} = r."durationMs", ${d.bare('leaseExpiresAt')} = NULL,
    ${d.bare('dueAt')} = coalesce(now() + r."pauseMs" * interval '1 ms', ${d('dueAt')}),
    ${d.bare('deliveredAt')} = CASE WHEN r.status = 'delivered' THEN now() END,
    ${d.bare('attemptLog')} = CASE WHEN r."isLogged" THEN coalesce(${d('attemptLog')}, '[]') || jsonb_build_object(
        'at', now() - coalesce(r."durationMs", 0) * interval '1 ms', 'isDelivered', r.status = 'delivered',
        'reason', r.reason, 'responseStatus', r."responseStatus", 'durationMs', r."durationMs")
      ELSE ${d('attemptLog')} END
  FROM json_to_recordset($1::json) AS r(
    id uuid, "webhookId" uuid, attempts int, "isAttempt" boolean, "isLogged" boolean, status text, reason text,
    "responseStatus" int, "responseBody" text, "keyId" uuid, "durationMs" int, "pauseMs" bigint)
  JOIN ${w.from} ON ${w('id')} = r."webhookId" AND ${w('deletedAt')} IS NULL
  WHERE ${d('id')} = r.id AND ${isStillOwnSql('r.attempts')}
  RETURNING ${d.as('id', 'traceparent')}`,
});

/** Stores the health of webhook endpoints. Parameters: $1 JSON list of `WebhookWithHealth`s. */
export const WRITE_HEALTH = defineStatement({
  name: 'write-webhook-health',
  because: 'Updates many rows with different values (bench webhooks/failing).',
  acrossWorkspaces: 'The caller has locked the rows.',
  isPrepared: true,
  text: `
  UPDATE ${w.from} SET ${buildAssignments({
    isActive: 'boolean',
    deliveryCount: 'int',
    failureCount: 'int',
    consecutiveFailures: 'int',
    transientFailures: 'int',
    failingSince: 'timestamptz',
    lastError: 'text',
    lastSuccessAt: 'timestamptz',
    lastFailureAt: 'timestamptz',
    disabledAt: 'timestamptz',
  })}
  FROM json_array_elements($1::json) AS health WHERE ${w('id')} = (health ->> 'id')::uuid`,
});

function buildAssignments(types: Record<Exclude<keyof WebhookWithHealth, 'id'>, string>): string {
  return (Object.keys(types) as (keyof typeof types)[])
    .map((property) => `${w.bare(property)} = (health ->> '${property}')::${types[property]}`)
    .join(', ');
}
