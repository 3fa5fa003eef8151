import type { Settings } from '../../core/settings/settings.ts';
import type { Database, PreparedStatement } from '../../database/database.ts';
import { OUTBOX_CHANNEL } from '../../entities/outbox/outbox.entity.ts';
import { DELIVERIES_CHANNEL, type DeliveryStatus } from '../../entities/webhooks/webhook-delivery.entity.ts';

/** What became of a claimed delivery. */
export interface DeliveryResult {
  id: string;
  webhookId: string;
  /** Where it was sent: what an address did that the endpoint no longer has says nothing of its health. */
  url: string;
  /** Attempts before this one. */
  attempts: number;
  isAttempt: boolean;
  /** The receiver may take it later. */
  isTransient: boolean;
  status: DeliveryStatus;
  reason: string | null;
  isGone: boolean;
  responseStatus: number | null;
  responseBody: string | null;
  durationMs: number | null;
  /** From now to the next attempt of a delivery that is `retrying`, or still `pending`. */
  pauseMs: number;
  /** Starts the workflow that takes over; null when there is nothing to take over, or it runs already. */
  command: { id: string; name: string; payload: object } | null;
}

/**
 * An endpoint that refuses everything for good gets workflows for so many failures in a row; what fails after them
 * is in the log alone.
 */
const WORKFLOWS_PER_STREAK = 25;

/** Locks the endpoints of results in order, so that processes do not wait for each other in a circle. */
const endpointsOf = (webhookIds: string) => `endpoint AS (
    SELECT id, org_id, url, is_active, consecutive_failures, failing_since FROM webhooks
    WHERE id = ANY(ARRAY(${webhookIds})) AND deleted_at IS NULL
    ORDER BY id FOR NO KEY UPDATE
  )`;

/**
 * What is left of `RECORD` where all was taken at the first attempt, as nearly everything is: a success ends whatever an
 * endpoint has failed with, and nothing is to be taken over.
 */
const RECORD_TAKEN_AT_ONCE: PreparedStatement = {
  name: 'record-deliveries-taken-at-once',
  text: `
  WITH result AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::int[])
      AS r (id, webhook_id, url, response_status, response_body, duration_ms)
  ), ${endpointsOf('SELECT webhook_id FROM result')}, written AS (
    UPDATE webhook_deliveries d SET
      status = 'delivered', attempts = 1, reason = NULL, response_status = r.response_status,
      response_body = r.response_body, duration_ms = r.duration_ms, delivered_at = now(), lease_expires_at = NULL
    FROM result r JOIN endpoint e ON e.id = r.webhook_id
    WHERE d.id = r.id AND d.attempts = 0 AND d.status IN ('pending', 'retrying')
    RETURNING r.webhook_id, r.url = e.url AS is_present_url
  )
  UPDATE webhooks w SET
    delivery_count = w.delivery_count + taken.count, transient_failures = 0, consecutive_failures = 0,
    failing_since = NULL, last_success_at = now()
  FROM (SELECT webhook_id, count(*) FROM written WHERE is_present_url GROUP BY webhook_id) taken
  WHERE w.id = taken.webhook_id`,
};

/**
 * Writes results and, in the same statement, the health of their endpoints, and asks for the workflows of what has
 * failed, and of the mail about an endpoint that is disabled. The number of attempts tells a result of an expired lease, which somebody else has acted upon since.
 */
const RECORD: PreparedStatement = {
  name: 'record-deliveries',
  text: `
  WITH result AS (
    SELECT * FROM json_to_recordset($1::json) AS r(
      "order" int, id uuid, "webhookId" uuid, url text, attempts int, "isAttempt" boolean, "isTransient" boolean, status text,
      reason text, "isGone" boolean, "responseStatus" int, "responseBody" text, "durationMs" int, "pauseMs" bigint, command json)
  ), ${endpointsOf('SELECT "webhookId" FROM result')}, written AS (
    UPDATE webhook_deliveries d SET
      status = r.status, attempts = r.attempts + r."isAttempt"::int, reason = r.reason,
      response_status = r."responseStatus", response_body = r."responseBody", duration_ms = r."durationMs",
      due_at = CASE WHEN r.status IN ('pending', 'retrying') THEN now() + r."pauseMs" * interval '1 ms' ELSE d.due_at END,
      delivered_at = CASE WHEN r.status = 'delivered' THEN now() END, lease_expires_at = NULL,
      attempt_log = CASE WHEN r."isAttempt" AND (r.status <> 'delivered' OR d.attempts > 0)
        THEN coalesce(d.attempt_log, '[]') || jsonb_build_object(
          'at', now() - coalesce(r."durationMs", 0) * interval '1 ms', 'isDelivered', r.status = 'delivered',
          'reason', r.reason, 'responseStatus', r."responseStatus", 'durationMs', r."durationMs")
        ELSE d.attempt_log END
    FROM result r JOIN endpoint e ON e.id = r."webhookId"
    WHERE d.id = r.id AND d.attempts = r.attempts AND d.status IN ('pending', 'retrying')
    RETURNING r.*, e.org_id, e.url = r.url AS is_present_url, e.consecutive_failures, d.traceparent
  ), taken_over AS (
    INSERT INTO outbox (id, org_id, kind, name, payload, traceparent, due_at)
    SELECT (command->>'id')::uuid, org_id, 'command', command->>'name', (command->'payload')::jsonb, traceparent,
           date_trunc('milliseconds', now())
    FROM written
    WHERE command->>'id' IS NOT NULL
      AND (status = 'retrying' OR consecutive_failures < ${WORKFLOWS_PER_STREAK})
    RETURNING id
  ), attempt AS (
    SELECT *, status = 'delivered' AS is_success,
           coalesce("order" > max("order") FILTER (WHERE status = 'delivered') OVER (PARTITION BY "webhookId"), true)
             AS is_after_success
    FROM written WHERE "isAttempt" AND is_present_url
  ), tally AS (
    SELECT "webhookId", count(*) AS attempts, count(*) FILTER (WHERE NOT is_success) AS failures,
           count(*) FILTER (WHERE NOT is_success AND is_after_success) AS streak,
           count(*) FILTER (WHERE "isTransient" AND is_after_success) AS transients,
           bool_or(is_success) AS has_success, bool_or("isGone") AS is_gone,
           (array_agg(reason ORDER BY "order" DESC) FILTER (WHERE NOT is_success))[1] AS last_error
    FROM attempt GROUP BY "webhookId"
  ), health AS (
    SELECT t.*, t.streak + CASE WHEN has_success THEN 0 ELSE e.consecutive_failures END AS total_streak,
           CASE WHEN t.streak = 0 THEN NULL
                ELSE coalesce(CASE WHEN has_success THEN NULL ELSE e.failing_since END, now()) END AS since
    FROM tally t JOIN endpoint e ON e.id = t."webhookId"
  ), verdict AS (
    SELECT *, is_gone OR (total_streak >= $2 AND since <= now() - make_interval(hours => $3))
             AS is_disabled
    FROM health
  ), judged AS (
    UPDATE webhooks w SET
      delivery_count = w.delivery_count + v.attempts, failure_count = w.failure_count + v.failures,
      transient_failures = v.transients + CASE WHEN v.has_success THEN 0 ELSE w.transient_failures END,
      consecutive_failures = v.total_streak, failing_since = v.since,
      last_success_at = CASE WHEN v.has_success THEN now() ELSE w.last_success_at END,
      last_failure_at = CASE WHEN v.failures > 0 THEN now() ELSE w.last_failure_at END,
      last_error = coalesce(v.last_error, w.last_error),
      is_active = w.is_active AND NOT v.is_disabled,
      disabled_at = CASE WHEN w.is_active AND v.is_disabled THEN now() ELSE w.disabled_at END
    FROM verdict v WHERE w.id = v."webhookId"
  ), told AS (
    INSERT INTO outbox (id, org_id, kind, name, payload, due_at)
    SELECT gen_random_uuid(), e.org_id, 'command', 'notifyWebhookDisabled', jsonb_build_object(
             'action', 'start', 'workflowId', format('notify-webhook-disabled/%s/%s', e.id, floor(extract(epoch FROM now()))),
             'args', jsonb_build_array(jsonb_build_object('orgId', e.org_id, 'endpointId', e.id)),
             'summary', 'Mail the admins that an endpoint was disabled'), date_trunc('milliseconds', now())
    FROM verdict v JOIN endpoint e ON e.id = v."webhookId" WHERE e.is_active AND v.is_disabled
    RETURNING id
  )
  SELECT pg_notify('${OUTBOX_CHANNEL}', 'command')
  FROM (SELECT id FROM taken_over UNION ALL SELECT id FROM told LIMIT 1) AS any_command
  UNION ALL SELECT pg_notify('${DELIVERIES_CHANNEL}', "webhookId"::text) FROM verdict WHERE is_disabled`,
};

/** When an endpoint is disabled: after so many failures in a row, and so many hours of nothing else. */
export type DisablingSettings = Pick<Settings, 'webhookDisableFailures' | 'webhookDisableHours'>;

/** What attempts came to, and what follows from it for their endpoints. */
export class DeliveryResultsRepository {
  readonly #db: Database;
  readonly #settings: DisablingSettings;

  constructor(db: Database, settings: DisablingSettings) {
    this.#db = db;
    this.#settings = settings;
  }

  /** @param results in the order in which they came about */
  async record(results: readonly DeliveryResult[]): Promise<void> {
    if (results.every(isTakenAtOnce)) {
      await this.#db.prepared(RECORD_TAKEN_AT_ONCE, columnsOf(results));
      return;
    }
    const rows = results.map((result, order) => ({ ...result, order }));
    const { webhookDisableFailures, webhookDisableHours } = this.#settings;
    await this.#db.prepared(RECORD, [JSON.stringify(rows), webhookDisableFailures, webhookDisableHours]);
  }
}

function isTakenAtOnce({ status, attempts, isAttempt }: DeliveryResult): boolean {
  return status === 'delivered' && attempts === 0 && isAttempt;
}

function columnsOf(results: readonly DeliveryResult[]): unknown[] {
  const column = <K extends keyof DeliveryResult>(key: K) => results.map((result) => result[key]);
  return [
    column('id'),
    column('webhookId'),
    column('url'),
    column('responseStatus'),
    column('responseBody'),
    column('durationMs'),
  ];
}
