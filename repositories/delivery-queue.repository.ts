import type { Database, PreparedStatement } from '../entities/database.ts';
import { DELIVERIES_CHANNEL, type DeliveryStatus } from '../entities/webhook-delivery.entity.ts';

/** A delivery leased to this process, with its endpoint as it was at that moment. */
export interface ClaimedDelivery {
  id: string;
  webhookId: string;
  event: string;
  /** The body's `data` as JSON text. */
  data: string;
  attempts: number;
  url: string;
  sealedSecret: string;
  apiVersion: string;
  isActive: boolean;
  isFailing: boolean;
  traceparent: string | null;
}

export interface ClaimOptions {
  limit: number;
  leaseSeconds: number;
  /** How many more to take of each endpoint that the process holds deliveries of already, */
  rooms: ReadonlyMap<string, number>;
  /** of any other one, */
  room: number;
  /** and of one whose last attempt failed. */
  failingRoom: number;
  /** Endpoints with ids up to this one had their turn. */
  afterEndpoint: string;
}

/** What became of a claimed delivery. */
export interface DeliveryResult {
  id: string;
  webhookId: string;
  /** Attempts before this one. */
  attempts: number;
  isAttempt: boolean;
  status: DeliveryStatus;
  reason: string | null;
  isGone: boolean;
  responseStatus: number | null;
  responseBody: string | null;
  durationMs: number | null;
  /** From now to the next attempt of a delivery that is `retrying`. */
  pauseMs: number;
}

/** An endpoint is disabled when so many attempts in a row have failed, and all of so many hours. */
const DISABLING_FAILURES = 20;
const DISABLING_HOURS = 120;

const IS_FREE = '(lease_expires_at IS NULL OR lease_expires_at <= now())';

const leaseOf = (picked: string, leaseSeconds: string) => `
    UPDATE webhook_deliveries d SET lease_expires_at = now() + make_interval(secs => ${leaseSeconds})
    FROM ${picked} p, webhooks w
    WHERE d.id = p.id AND w.id = d.webhook_id
    RETURNING d.id, d.webhook_id AS "webhookId", d.event, d.payload::text AS data, d.attempts, w.url,
              w.sealed_secret AS "sealedSecret", w.api_version AS "apiVersion", w.is_active AS "isActive",
              w.consecutive_failures > 0 AS "isFailing", d.traceparent`;

/** Visits each endpoint that has pending deliveries by one index probe, so that a backlog hides no other endpoint. */
const CLAIM_FIRST_ATTEMPTS: PreparedStatement = {
  name: 'claim-first-attempts',
  text: `
    WITH RECURSIVE lane(webhook_id) AS (
      (SELECT webhook_id FROM webhook_deliveries
       WHERE status = 'pending' AND webhook_id > $1 ORDER BY webhook_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.webhook_id FROM webhook_deliveries d
              WHERE d.status = 'pending' AND d.webhook_id > lane.webhook_id ORDER BY d.webhook_id LIMIT 1)
      FROM lane WHERE lane.webhook_id IS NOT NULL
    ), picked AS (
      SELECT due.id
      FROM lane
      JOIN webhooks w ON w.id = lane.webhook_id
      LEFT JOIN unnest($2::uuid[], $3::int[]) AS held(webhook_id, room) ON held.webhook_id = w.id
      CROSS JOIN LATERAL (
        SELECT id FROM webhook_deliveries
        WHERE webhook_id = w.id AND status = 'pending' AND due_at <= now() AND ${IS_FREE}
        ORDER BY due_at
        LIMIT coalesce(held.room, CASE WHEN w.consecutive_failures > 0 THEN $5::int ELSE $4::int END)
        FOR UPDATE SKIP LOCKED
      ) due
      LIMIT $6
    )${leaseOf('picked', '$7')}`,
};

const CLAIM_RETRIES: PreparedStatement = {
  name: 'claim-retries',
  text: `
    WITH picked AS (
      SELECT id FROM webhook_deliveries
      WHERE status = 'retrying' AND due_at <= now() AND ${IS_FREE} AND webhook_id <> ALL($1::uuid[])
      ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
    )${leaseOf('picked', '$3')}`,
};

/**
 * Writes results and, in the same statement, the health of their endpoints. The number of attempts tells a result of
 * an expired lease, which somebody else has acted upon since. Endpoints are locked in order, so that processes do not
 * wait for each other in a circle.
 */
const RECORD: PreparedStatement = {
  name: 'record-delivery-results',
  text: `
    WITH result AS (
      SELECT * FROM json_to_recordset($1::json) AS r(
        "order" int, id uuid, "webhookId" uuid, attempts int, "isAttempt" boolean, status text, reason text,
        "isGone" boolean, "responseStatus" int, "responseBody" text, "durationMs" int, "pauseMs" bigint)
    ), endpoint AS (
      SELECT id, consecutive_failures, failing_since FROM webhooks
      WHERE id IN (SELECT "webhookId" FROM result)
      ORDER BY id FOR NO KEY UPDATE
    ), written AS (
      UPDATE webhook_deliveries d SET
        status = r.status, attempts = r.attempts + r."isAttempt"::int, reason = r.reason,
        response_status = r."responseStatus", response_body = r."responseBody", duration_ms = r."durationMs",
        due_at = CASE WHEN r.status = 'retrying' THEN now() + r."pauseMs" * interval '1 ms' ELSE d.due_at END,
        delivered_at = CASE WHEN r.status = 'delivered' THEN now() END, lease_expires_at = NULL
      FROM result r JOIN endpoint e ON e.id = r."webhookId"
      WHERE d.id = r.id AND d.attempts = r.attempts AND d.status IN ('pending', 'retrying')
      RETURNING r.*
    ), attempt AS (
      SELECT *, status = 'delivered' AS is_success,
             coalesce("order" > max("order") FILTER (WHERE status = 'delivered') OVER (PARTITION BY "webhookId"), true)
               AS is_after_success
      FROM written WHERE "isAttempt"
    ), tally AS (
      SELECT "webhookId", count(*) AS attempts, count(*) FILTER (WHERE NOT is_success) AS failures,
             count(*) FILTER (WHERE NOT is_success AND is_after_success) AS streak,
             bool_or(is_success) AS has_success, bool_or("isGone") AS is_gone,
             (array_agg(reason ORDER BY "order" DESC) FILTER (WHERE NOT is_success))[1] AS last_error
      FROM attempt GROUP BY "webhookId"
    ), health AS (
      SELECT t.*, t.streak + CASE WHEN has_success THEN 0 ELSE e.consecutive_failures END AS total_streak,
             CASE WHEN t.streak = 0 THEN NULL
                  ELSE coalesce(CASE WHEN has_success THEN NULL ELSE e.failing_since END, now()) END AS since
      FROM tally t JOIN endpoint e ON e.id = t."webhookId"
    ), verdict AS (
      SELECT *, is_gone OR (total_streak >= ${DISABLING_FAILURES} AND since <= now() - interval '${DISABLING_HOURS} hours')
               AS is_disabled
      FROM health
    )
    UPDATE webhooks w SET
      delivery_count = w.delivery_count + v.attempts, failure_count = w.failure_count + v.failures,
      consecutive_failures = v.total_streak, failing_since = v.since,
      last_success_at = CASE WHEN v.has_success THEN now() ELSE w.last_success_at END,
      last_failure_at = CASE WHEN v.failures > 0 THEN now() ELSE w.last_failure_at END,
      last_error = coalesce(v.last_error, w.last_error),
      is_active = w.is_active AND NOT v.is_disabled,
      disabled_at = CASE WHEN w.is_active AND v.is_disabled THEN now() ELSE w.disabled_at END
    FROM verdict v WHERE w.id = v."webhookId"`,
};

/** The deliveries of all workspaces that are to be sent, as the dispatchers share them out among themselves. */
export class DeliveryQueueRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Leases deliveries that nobody has tried yet, oldest first within an endpoint. */
  claimFirstAttempts(options: ClaimOptions): Promise<ClaimedDelivery[]> {
    return this.#db.prepared<ClaimedDelivery>(CLAIM_FIRST_ATTEMPTS, [
      options.afterEndpoint,
      [...options.rooms.keys()],
      [...options.rooms.values()],
      options.room,
      options.failingRoom,
      options.limit,
      options.leaseSeconds,
    ]);
  }

  /** Leases deliveries whose pause is over. */
  claimRetries(limit: number, leaseSeconds: number, exceptEndpoints: string[]): Promise<ClaimedDelivery[]> {
    return this.#db.prepared<ClaimedDelivery>(CLAIM_RETRIES, [exceptEndpoints, limit, leaseSeconds]);
  }

  /** @param results in the order in which they came about */
  async record(results: readonly DeliveryResult[]): Promise<void> {
    const rows = results.map((result, order) => ({ ...result, order }));
    await this.#db.prepared(RECORD, [JSON.stringify(rows)]);
  }

  /** Gives leases back, so that another dispatcher need not wait for their end. */
  async release(ids: readonly string[]): Promise<void> {
    await this.#db.sql(
      `WITH released AS (
         UPDATE webhook_deliveries SET lease_expires_at = NULL
         WHERE id = ANY($1) AND status IN ('pending', 'retrying') RETURNING id
       )
       SELECT pg_notify('${DELIVERIES_CHANNEL}', '') FROM (SELECT FROM released LIMIT 1) AS any_released`,
      [ids],
    );
  }
}
