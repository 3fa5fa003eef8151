import type { Database, PreparedStatement } from '../../database/database.ts';
import { DELIVERIES_CHANNEL, WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { FAILING_FROM } from '../../entities/webhooks/webhook.entity.ts';
import { AT_ONCE } from '../../database/at-once.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** A delivery leased to this process, with its endpoint as it was at that moment. */
export interface ClaimedDelivery {
  id: string;
  orgId: string;
  webhookId: string;
  event: string;
  /** The body's `data` as JSON text. */
  data: string;
  attempts: number;
  /** Since its event happened. */
  ageMs: number;
  isOnDemand: boolean;
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
  /** How many more to take at most of each workspace that the process holds deliveries of already, */
  workspaceRooms: ReadonlyMap<string, number>;
  /** and of any other one. */
  newcomerRoom: number;
  /** Workspaces have their turns in the order of their ids, beginning after this one. */
  afterWorkspace: string;
  /** By workspace: its endpoints have their turns beginning after this one, likewise. */
  afterEndpoints: ReadonlyMap<string, string>;
  /** How many more to take of each endpoint that the process holds deliveries of already, */
  rooms: ReadonlyMap<string, number>;
  /** of what people ask for before anything else of the endpoint, the rest of it coming after, */
  onDemandRooms: ReadonlyMap<string, number>;
  onDemandRoom: number;
  /** of any other one, */
  room: number;
  /** and of one whose last attempt failed. */
  failingRoom: number;
}

/** Batched events all become due at the same full two seconds, so that they go out together. */
export const BATCH_SECONDS = 2;
const BATCH_END = `now() + interval '${BATCH_SECONDS} seconds'`;
/** Batched deliveries of an endpoint do not wait for their time when so many are there: these are taken together. */
const FULL_BATCH = 50;

/** Nobody is sending it. */
export const IS_FREE = '(lease_expires_at IS NULL OR lease_expires_at <= now())';

/** An endpoint that fails is not sent anything new while a retry is to come, which finds out whether it is back. */
export const isHeld = (
  webhook: string,
) => `(${webhook}.is_active AND ${webhook}.transient_failures >= ${FAILING_FROM}
  AND (SELECT true FROM webhook_deliveries r WHERE r.webhook_id = ${webhook}.id AND r.status = 'retrying'
       ORDER BY r.due_at LIMIT 1) IS NOT NULL)`;

/** What a process needs to send the delivery `d` to its endpoint `w`. */
export const CLAIMED = `
    d.id, d.org_id AS "orgId", d.webhook_id AS "webhookId", d.event, d.payload::text AS data, d.attempts,
    d.is_on_demand AS "isOnDemand", w.url, w.sealed_secret AS "sealedSecret",
    w.api_version AS "apiVersion", w.is_active AS "isActive", w.consecutive_failures > 0 AS "isFailing",
    d.traceparent, extract(epoch FROM now() - d.created_at)::float8 * 1000 AS "ageMs"`;

/**
 * Rows are found by their ids alone, so that PostgreSQL never reads an endpoint's whole log to join it. The commit waits
 * for no disk: a lease that is lost with the server is one that nobody keeps.
 */
const leaseOf = (picked: string, leaseSeconds: string) => `${AT_ONCE}, leased AS (
      UPDATE webhook_deliveries SET lease_expires_at = now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ANY(ARRAY(${picked}))
      RETURNING id, org_id, webhook_id, event, payload, attempts, is_on_demand, traceparent, created_at
    )
    SELECT ${CLAIMED}
    FROM at_once, leased d JOIN webhooks w ON w.id = d.webhook_id AND w.deleted_at IS NULL`;

const NO_ENDPOINT = "'00000000-0000-0000-0000-000000000000'::uuid";

/** The workspace's endpoints that have pending deliveries of that kind, in order, each found when it is asked for. */
const endpointsFrom = (after: string, name: string, kind: 'is_on_demand' | 'NOT is_on_demand') => {
  const probe = (last: string) => `
          (SELECT d.webhook_id FROM webhook_deliveries d
           WHERE d.status = 'pending' AND d.org_id = turn.id AND ${kind} AND d.webhook_id > ${last}
           ORDER BY d.webhook_id, d.due_at LIMIT 1)`;
  return `${name}(webhook_id) AS (${probe(after)}
          UNION ALL
          SELECT ${probe(`${name}.webhook_id`)} FROM ${name} WHERE ${name}.webhook_id IS NOT NULL)`;
};

/**
 * Visits each workspace that has pending deliveries by one index probe, and each of its endpoints by another until enough
 * is taken: no backlog hides anybody else, and a workspace that has its share already costs that one probe. Each step is
 * a subquery with a limit, so that PostgreSQL cannot take them in another order, and asks for the order of the one index
 * that holds nothing but what is pending: others would do, and read the whole log.
 */
const CLAIM_FIRST_ATTEMPTS: PreparedStatement = {
  name: 'claim-first-attempts',
  text: `
    WITH RECURSIVE org(id) AS (
      (SELECT org_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY org_id, is_on_demand LIMIT 1)
      UNION ALL
      SELECT (SELECT d.org_id FROM webhook_deliveries d
              WHERE d.status = 'pending' AND d.org_id > org.id ORDER BY d.org_id, d.is_on_demand LIMIT 1)
      FROM org WHERE org.id IS NOT NULL
    ), turn AS MATERIALIZED (
      SELECT id, coalesce(($2::jsonb ->> id::text)::int, $3::int) AS room,
             coalesce(($4::jsonb ->> id::text)::uuid, ${NO_ENDPOINT}) AS after_endpoint
      FROM org WHERE id IS NOT NULL ORDER BY id <= $1::uuid, id
    ), picked AS (
      SELECT of_workspace.id FROM turn
      CROSS JOIN LATERAL (
        WITH RECURSIVE ${endpointsFrom(NO_ENDPOINT, 'asked', 'is_on_demand')},
        ${endpointsFrom('turn.after_endpoint', 'later', 'NOT is_on_demand')},
        ${endpointsFrom(NO_ENDPOINT, 'earlier', 'NOT is_on_demand')}
        SELECT of_endpoint.id
        FROM (SELECT webhook_id, true AS is_asked, true AS is_first FROM asked
              UNION ALL SELECT webhook_id, false, false FROM later
              UNION ALL SELECT webhook_id, false, false FROM earlier WHERE webhook_id <= turn.after_endpoint
              UNION ALL SELECT webhook_id, true, false FROM asked) waiting
        CROSS JOIN LATERAL (
          SELECT w.id, NOT waiting.is_asked AND ${isHeld('w')} AS is_held,
            coalesce((CASE WHEN waiting.is_first THEN $10::jsonb ELSE $5::jsonb END ->> w.id::text)::int,
                     CASE WHEN waiting.is_first THEN $11::int
                          WHEN w.consecutive_failures > 0 THEN $7::int ELSE $6::int END) AS room,
            NOT waiting.is_asked AND (SELECT count(*) = ${FULL_BATCH} FROM (
               SELECT FROM webhook_deliveries b
               WHERE b.org_id = turn.id AND NOT b.is_on_demand AND b.webhook_id = w.id AND b.status = 'pending'
                 AND b.due_at > now() AND b.due_at <= ${BATCH_END} AND ${IS_FREE}
               ORDER BY b.due_at LIMIT ${FULL_BATCH}) batch) AS is_full
          FROM webhooks w WHERE w.id = waiting.webhook_id AND w.deleted_at IS NULL LIMIT 1
        ) lane
        CROSS JOIN LATERAL (
          SELECT id FROM webhook_deliveries
          WHERE org_id = turn.id AND is_on_demand = waiting.is_asked AND webhook_id = lane.id AND status = 'pending'
            AND due_at <= CASE WHEN lane.is_full THEN ${BATCH_END} ELSE now() END AND ${IS_FREE}
          ORDER BY due_at LIMIT CASE WHEN lane.is_held THEN 0
                                     WHEN lane.is_full THEN greatest(lane.room, ${FULL_BATCH}) ELSE lane.room END
          FOR UPDATE SKIP LOCKED
        ) of_endpoint
        LIMIT turn.room
      ) of_workspace
      LIMIT $8
    ), ${leaseOf('SELECT id FROM picked', '$9')}`,
};

const CLAIM_RETRY: PreparedStatement = {
  name: 'claim-retry',
  text: `WITH ${leaseOf(
    `SELECT id FROM webhook_deliveries WHERE id = $1 AND org_id = $2 AND status = 'retrying' AND ${IS_FREE}
       AND ($4::int IS NULL OR attempts = $4) FOR UPDATE`,
    '$3',
  )}`,
};

/** Waits for no lock: whoever writes results locks the same rows in another order. */
const RENEW: PreparedStatement = {
  name: 'renew-leases',
  text: `
  UPDATE webhook_deliveries SET lease_expires_at = now() + make_interval(secs => $2)
  WHERE id = ANY(ARRAY(
    SELECT id FROM webhook_deliveries
    WHERE id = ANY($1) AND lease_expires_at IS NOT NULL AND status IN ('pending', 'retrying')
    FOR UPDATE SKIP LOCKED
  ))
  RETURNING id`,
};

/** The deliveries of all workspaces that are to be sent, as the dispatchers share them out among themselves. */
export class DeliveryQueueRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Whether any delivery waits for its first attempt, due or not, or is being sent for the first time. */
  isAnyPending(): Promise<boolean> {
    return this.#db.repository(WebhookDelivery).existsBy({ status: 'pending' });
  }

  /**
   * Leases deliveries that nobody has tried yet, of each workspace in turn: a few that people ask for, then the oldest of
   * each endpoint that is not held, then whatever else people ask for.
   */
  claimFirstAttempts(options: ClaimOptions): Promise<ClaimedDelivery[]> {
    return this.#db.prepared<ClaimedDelivery>(CLAIM_FIRST_ATTEMPTS, [
      options.afterWorkspace,
      jsonOf(options.workspaceRooms),
      options.newcomerRoom,
      jsonOf(options.afterEndpoints),
      jsonOf(options.rooms),
      options.room,
      options.failingRoom,
      options.limit,
      options.leaseSeconds,
      jsonOf(options.onDemandRooms),
      options.onDemandRoom,
    ]);
  }

  /**
   * Leases a delivery for its next attempt, due or not; null when it is not to be tried again, or somebody has it.
   * @param attempts made before this one, if known: when there are more, it has been made already
   */
  async claimRetry(
    { orgId, db }: OrgScope,
    { id, attempts }: { id: string; attempts?: number | undefined },
    leaseSeconds: number,
  ): Promise<ClaimedDelivery | null> {
    const values = [id, orgId, leaseSeconds, attempts];
    const [claimed] = await db.prepared<ClaimedDelivery>(CLAIM_RETRY, values);
    return claimed ?? null;
  }

  /** Makes leases last anew from now. Returns the ids of those that do; one whose result is being written does not. */
  async renew(ids: readonly string[], leaseSeconds: number): Promise<string[]> {
    const renewed = await this.#db.prepared<{ id: string }>(RENEW, [ids, leaseSeconds]);
    return renewed.map(({ id }) => id);
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

const jsonOf = (map: ReadonlyMap<string, string | number>): string => JSON.stringify(Object.fromEntries(map));
