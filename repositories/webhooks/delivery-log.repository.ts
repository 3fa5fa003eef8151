import type { SelectQueryBuilder } from 'typeorm';
import type { PreparedStatement } from '../../database/database.ts';
import {
  DELIVERIES_CHANNEL,
  WebhookDelivery,
  type DeliveryStatus,
} from '../../entities/webhooks/webhook-delivery.entity.ts';
import { isHeld, IS_FREE } from './delivery-queue.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** Where a delivery stands. */
export interface DeliveryState {
  status: DeliveryStatus;
  attempts: number;
  /** Why the last attempt failed: `<code>: <sentence>`. */
  reason: string | null;
  /** Until the next attempt of a delivery that is `retrying`; 0 when it is due. */
  waitMs: number;
  /** Somebody makes an attempt now. */
  isLeased: boolean;
}

export type FailedDelivery = Pick<WebhookDelivery, 'id' | 'event' | 'createdAt' | 'reason'>;

export interface LogRange {
  since: Date;
  /** Exclusive. */
  until: Date;
  limit: number;
}

const STATE: PreparedStatement = {
  name: 'delivery-state',
  text: `SELECT status, attempts, reason,
                greatest(0, ceil(extract(epoch FROM due_at - now()) * 1000))::float8 AS "waitMs",
                coalesce(lease_expires_at > now(), false) AS "isLeased"
         FROM webhook_deliveries d
         WHERE id = $1 AND org_id = $2
           AND EXISTS (SELECT FROM webhooks w WHERE w.id = d.webhook_id AND w.deleted_at IS NULL)`,
};

/**
 * Whether a replay was made; if not, because its endpoint is disabled, because it is deleted and its log gone, or because
 * another delivery has that id.
 */
export type ReplayOutcome = 'made' | 'disabled' | 'gone' | 'taken';

/**
 * The copy is made of the original as it is stored, so that its bytes are the same. One that was made already is no
 * less made when its endpoint is disabled later.
 */
const REPLAY: PreparedStatement = {
  name: 'replay-delivery',
  text: `
    WITH original AS (
      SELECT d.*, coalesce(known.replay_of_id = d.id, false) AS is_known, known.id IS NOT NULL AS is_taken, w.is_active
      FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id AND w.deleted_at IS NULL
      LEFT JOIN webhook_deliveries known ON known.id = $3
      WHERE d.id = $1 AND d.org_id = $2
    ), copy AS (
      INSERT INTO webhook_deliveries (id, org_id, webhook_id, replay_of_id, event_id, event, payload, is_on_demand, due_at)
      SELECT $3::uuid, org_id, webhook_id, id, event_id, event, payload, true, date_trunc('milliseconds', now())
      FROM original WHERE is_active AND NOT is_taken
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    ), made AS (
      SELECT id FROM original WHERE is_known OR (is_active AND NOT is_taken)
    ), replaced AS (
      UPDATE webhook_deliveries SET status = 'failed', reason = 'replayed: It was sent again as ' || $3::text || '.'
      WHERE id IN (SELECT id FROM made) AND status = 'retrying' AND ${IS_FREE}
    )
    SELECT CASE WHEN EXISTS (SELECT FROM made) THEN 'made' WHEN is_taken THEN 'taken' ELSE 'disabled' END AS outcome,
           (SELECT pg_notify('${DELIVERIES_CHANNEL}', '') FROM copy)
    FROM original`,
};

/** Left out while it is being removed. */
const OF_DELETED_ENDPOINT = `row.webhook_id IN (
  SELECT id FROM webhooks WHERE org_id = :orgId AND deleted_at IS NOT NULL)`;

/** The deliveries of a workspace, without those of endpoints that are deleted. */
export class DeliveryLogRepository extends ScopedRepository<WebhookDelivery> {
  constructor() {
    super(WebhookDelivery, 'delivery');
  }

  override query(scope: OrgScope): SelectQueryBuilder<WebhookDelivery> {
    return super.query(scope).andWhere(`NOT ${OF_DELETED_ENDPOINT}`);
  }

  override find(scope: OrgScope, id: string): Promise<WebhookDelivery | null> {
    return this.query(scope).andWhere('row.id = :id', { id }).getOne();
  }

  async state({ orgId, db }: OrgScope, id: string): Promise<DeliveryState | null> {
    const [state] = await db.prepared<DeliveryState>(STATE, [id, orgId]);
    return state ?? null;
  }

  /** Makes a pending copy with the id given, if there is none yet; the original is not tried again. */
  async replay({ orgId, db }: OrgScope, id: string, replayId: string): Promise<ReplayOutcome> {
    const [replay] = await db.prepared<{ outcome: ReplayOutcome }>(REPLAY, [id, orgId, replayId]);
    return replay?.outcome ?? 'gone';
  }

  /** The latest replay of each of these deliveries that has one, by the id of the original. */
  async latestReplays(scope: OrgScope, ids: readonly string[]): Promise<Map<string, string>> {
    const replays = await this.query(scope)
      .select(['row.id', 'row.replayOfId'])
      .distinctOn(['row.replay_of_id'])
      .andWhere('row.replay_of_id = ANY(:ids)', { ids })
      .orderBy('row.replay_of_id')
      .addOrderBy('row.created_at', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .getMany();
    return new Map(replays.map(({ id, replayOfId }) => [replayOfId ?? '', id]));
  }

  /** Failed deliveries of the endpoint that were not replayed yet, oldest first; without tests. */
  failed({ orgId, db }: OrgScope, webhookId: string, range: LogRange): Promise<FailedDelivery[]> {
    return db.sql(
      `SELECT id, event, created_at AS "createdAt", reason FROM webhook_deliveries d
       WHERE webhook_id = $1 AND org_id = $2 AND created_at >= $3 AND created_at < $4 AND status = 'failed'
         AND (NOT is_on_demand OR replay_of_id IS NOT NULL)
         AND NOT EXISTS (SELECT FROM webhook_deliveries replay WHERE replay.replay_of_id = d.id)
       ORDER BY created_at, id LIMIT $5`,
      [webhookId, orgId, range.since, range.until, range.limit],
    );
  }

  /** Ends the retries of a delivery that nobody is sending now. */
  async fail({ orgId, db }: OrgScope, id: string, reason: string): Promise<void> {
    await db.sql(
      `UPDATE webhook_deliveries SET status = 'failed', reason = $3
       WHERE id = $1 AND org_id = $2 AND status = 'retrying'
         AND ${IS_FREE}`,
      [id, orgId, reason],
    );
  }

  /** A delivery that somebody waits for; due since an hour, so that it goes before replays. */
  async insertTest(
    { orgId, db }: OrgScope,
    {
      id,
      webhookId,
      eventId,
      event,
      payload,
    }: Pick<WebhookDelivery, 'id' | 'webhookId' | 'eventId' | 'event' | 'payload'>,
  ): Promise<void> {
    await db.sql(
      `WITH test AS (
         INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, is_on_demand, due_at)
         VALUES ($1, $2, $3, $4, $5, $6, true, date_trunc('milliseconds', now() - interval '1 hour'))
       )
       SELECT pg_notify('${DELIVERIES_CHANNEL}', '')`,
      [id, orgId, webhookId, eventId, event, JSON.stringify(payload)],
    );
  }

  /** Has the dispatchers send what they hold of the endpoint as the endpoint is from now on. */
  async announceChange({ db }: OrgScope, webhookId: string): Promise<void> {
    await db.sql(`SELECT pg_notify('${DELIVERIES_CHANNEL}', $1)`, [webhookId]);
  }

  /** Those of the endpoints to which nothing new is sent until a retry succeeds. */
  async heldEndpoints({ orgId, db }: OrgScope, webhookIds: readonly string[]): Promise<Set<string>> {
    const rows = await db.sql<{ id: string }>(
      `SELECT w.id FROM webhooks w WHERE w.org_id = $1 AND w.id = ANY($2) AND ${isHeld('w')}`,
      [orgId, webhookIds],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
