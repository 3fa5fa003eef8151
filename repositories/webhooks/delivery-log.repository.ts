import type { QueryDeepPartialEntity, SelectQueryBuilder } from 'typeorm';
import { sealRow } from '../../database/content.ts';
import { notifyChannel } from '../../database/notify.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import {
  DELIVERIES_CHANNEL,
  WebhookDelivery,
  type DeliveryStatus,
} from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { REPLAY } from './delivery-log.sql.ts';
import { isHeld, IS_FREE } from './delivery-queue.sql.ts';
import type { ReplayOutcome } from './delivery-log.sql.ts';

/** State of a webhook delivery, from which its workflow decides what to do next. */
export interface DeliveryState {
  status: DeliveryStatus;
  attempts: number;
  /** Reason why the last delivery attempt failed, as `<code>: <sentence>`; null if no attempt failed. */
  reason: string | null;
  /** Milliseconds until the next delivery attempt, if the status is `retrying`; 0 if the attempt is due. */
  waitMs: number;
  /** True while a process is attempting the delivery. */
  isLeased: boolean;
}

export type FailedDelivery = Pick<WebhookDelivery, 'id' | 'event' | 'createdAt' | 'reason'>;

export interface LogRange {
  since: Date;
  /** Exclusive end of the period in which the listed deliveries were created. */
  until: Date;
  limit: number;
}

const ONE_HOUR_AGO = () => "date_trunc('milliseconds', now() - interval '1 hour')";

/** Log of a workspace's webhook deliveries. Skips deliveries of deleted endpoints. */
export class DeliveryLogRepository extends ScopedRepository<WebhookDelivery> {
  constructor() {
    super(WebhookDelivery, 'delivery');
  }

  override query(scope: OrgScope): SelectQueryBuilder<WebhookDelivery> {
    const query = super.query(scope);
    const deleted = query
      .subQuery()
      .select('webhook.id')
      .from(Webhook, 'webhook')
      .where('webhook.orgId = :orgId AND webhook.deletedAt IS NOT NULL');
    return query.andWhere(`NOT row.webhookId IN ${deleted.getQuery()}`);
  }

  override find(scope: OrgScope, id: string): Promise<WebhookDelivery | null> {
    return this.query(scope).andWhere('row.id = :id', { id }).getOne();
  }

  /** Returns the state of a webhook delivery; null if the delivery was deleted. */
  async findState(scope: OrgScope, id: string): Promise<DeliveryState | null> {
    const state = await this.query(scope)
      .select('row.status', 'status')
      .addSelect('row.attempts', 'attempts')
      .addSelect('row.reason', 'reason')
      .addSelect('greatest(0, ceil(extract(epoch FROM row.dueAt - now()) * 1000))::float8', 'waitMs')
      .addSelect('coalesce(row.leaseExpiresAt > now(), false)', 'isLeased')
      .andWhere('row.id = :id', { id })
      .getRawOne<DeliveryState>();
    return state ?? null;
  }

  /**
   * Creates a pending copy of a webhook delivery with the id `replayId`, unless that copy exists. Ends the
   * retries of the original.
   */
  async replay({ orgId, db }: OrgScope, id: string, replayId: string): Promise<ReplayOutcome> {
    const [replay] = await db.run(REPLAY, [id, orgId, replayId]);
    return replay?.outcome ?? 'gone';
  }

  /**
   * Returns the id of the latest replay of each webhook delivery, by the id of the original delivery.
   * Deliveries that were never replayed are missing.
   */
  async listLatestReplays(scope: OrgScope, ids: readonly string[]): Promise<Map<string, string>> {
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

  /**
   * Lists failed deliveries of a webhook endpoint that were not replayed yet, oldest first. Skips test
   * deliveries.
   */
  listFailed(
    scope: OrgScope,
    webhookId: string,
    { since, until, limit }: LogRange,
  ): Promise<FailedDelivery[]> {
    const query = this.query(scope);
    const replays = query
      .subQuery()
      .select('1')
      .from(WebhookDelivery, 'replay')
      .where('replay.replayOfId = row.id');
    return query
      .select(['row.id', 'row.event', 'row.createdAt', 'row.reason'])
      .andWhere("row.webhookId = :webhookId AND row.status = 'failed'", { webhookId })
      .andWhere('row.createdAt >= :since AND row.createdAt < :until', { since, until })
      .andWhere('(NOT row.isOnDemand OR row.replayOfId IS NOT NULL)')
      .andWhere(`NOT EXISTS ${replays.getQuery()}`)
      .orderBy('row.createdAt')
      .addOrderBy('row.id')
      .limit(limit)
      .getMany();
  }

  /** Ends the retries of a webhook delivery as failed, unless a process is sending the delivery. */
  async fail({ orgId, db }: OrgScope, id: string, reason: string): Promise<void> {
    await db
      .repository(WebhookDelivery)
      .createQueryBuilder()
      .update()
      .set({ status: 'failed', reason })
      .where({ id, orgId, status: 'retrying' })
      .andWhere(IS_FREE)
      .execute();
  }

  /**
   * Inserts a test delivery to a webhook endpoint. Its due time is an hour ago, so that the test is sent
   * before replays.
   * @throws AppError `key_unavailable`
   */
  async insertTest(
    { orgId, db }: OrgScope,
    test: Pick<Opened<WebhookDelivery>, 'id' | 'webhookId' | 'eventId' | 'event' | 'payload'>,
  ): Promise<void> {
    const sealed = await sealRow(db.dataSource, WebhookDelivery, { ...test, orgId });
    const row = { ...sealed, isOnDemand: true, dueAt: ONE_HOUR_AGO };
    await db.repository(WebhookDelivery).insert(row as QueryDeepPartialEntity<WebhookDelivery>);
    await notifyChannel(db, DELIVERIES_CHANNEL);
  }

  /**
   * Notifies webhook dispatchers that the endpoint has changed. The dispatchers apply the new settings to
   * deliveries that they have already leased.
   */
  notifyEndpointChange({ db }: OrgScope, webhookId: string): Promise<void> {
    return notifyChannel(db, DELIVERIES_CHANNEL, webhookId);
  }

  /**
   * Returns those of the given webhook endpoints whose new deliveries are held back, because the endpoint
   * fails. A retry has to succeed first.
   */
  async listHeldWebhooks({ orgId, db }: OrgScope, webhookIds: readonly string[]): Promise<Set<string>> {
    const rows = await db
      .repository(Webhook)
      .createQueryBuilder('w')
      .select('w.id')
      .where('w.orgId = :orgId AND w.id = ANY(:webhookIds)', { orgId, webhookIds })
      .andWhere(isHeld('w'))
      .getMany();
    return new Set(rows.map(({ id }) => id));
  }
}
