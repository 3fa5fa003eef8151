import { In, IsNull, MoreThan } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { isHeld } from '../webhooks/delivery-queue.sql.ts';

export interface OutboxBacklog {
  kind: 'event' | 'command';
  pending: number;
  oldestSeconds: number;
  /** Number of outbox commands that failed permanently. */
  parked: number;
}

export interface DeliveryBacklog {
  /**
   * Status of the counted webhook deliveries. `pending` excludes deliveries to a failing endpoint, which wait
   * until a retry succeeds.
   */
  status: 'pending' | 'retrying';
  waiting: number;
  /** Seconds since the oldest due time of a webhook delivery; 0 if no delivery is overdue. */
  overdueSeconds: number;
}

/** Counts pending work of all workspaces, for operators. */
export class BacklogRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async listOutbox(): Promise<OutboxBacklog[]> {
    const isPending = `row.dueAt <> 'infinity'`;
    const found = await this.#db
      .repository(OutboxRow)
      .createQueryBuilder('row')
      .select('row.kind', 'kind')
      .addSelect(`(count(*) FILTER (WHERE ${isPending}))::int`, 'pending')
      .addSelect(`(count(*) FILTER (WHERE row.dueAt = 'infinity'))::int`, 'parked')
      .addSelect(toSecondsSince(`min(row.createdAt) FILTER (WHERE ${isPending})`), 'oldestSeconds')
      .groupBy('row.kind')
      .getRawMany<OutboxBacklog>();
    return (['event', 'command'] as const).map(
      (kind) => found.find((each) => each.kind === kind) ?? { kind, pending: 0, oldestSeconds: 0, parked: 0 },
    );
  }

  /**
   * Counts indexed documents that have no vectors yet. `oldestSeconds` is the number of seconds since the
   * first of them was indexed.
   */
  async countEmbeddings(): Promise<{ waiting: number; oldestSeconds: number }> {
    const found = await this.#db
      .repository(Document)
      .createQueryBuilder('document')
      .innerJoin(Bot, 'bot', 'bot.id = document.botId AND bot.deletedAt IS NULL')
      .select('count(*)::int', 'waiting')
      .addSelect(toSecondsSince('min(document.indexedAt)'), 'oldestSeconds')
      .where({ embeddingModel: IsNull(), chunkCount: MoreThan(0), status: In(['indexed', 'failed']) })
      .getRawOne<{ waiting: number; oldestSeconds: number }>();
    return found ?? { waiting: 0, oldestSeconds: 0 };
  }

  async listDeliveries(): Promise<DeliveryBacklog[]> {
    const found = await this.#db
      .repository(WebhookDelivery)
      .createQueryBuilder('delivery')
      .innerJoin(Webhook, 'endpoint', 'endpoint.id = delivery.webhookId AND endpoint.deletedAt IS NULL')
      .select('delivery.status', 'status')
      .addSelect('count(delivery.dueAt)::int', 'waiting')
      .addSelect(toSecondsSince('min(delivery.dueAt)'), 'overdueSeconds')
      .where({ status: 'retrying' })
      .orWhere(`(delivery.status = 'pending' AND NOT ${isHeld('endpoint')})`)
      .groupBy('delivery.status')
      .getRawMany<DeliveryBacklog>();
    return (['pending', 'retrying'] as const).map(
      (status) => found.find((each) => each.status === status) ?? { status, waiting: 0, overdueSeconds: 0 },
    );
  }
}

/** Returns SQL for the seconds since a time. For a future time or null, the result is 0. */
function toSecondsSince(time: string): string {
  return `greatest(coalesce(extract(epoch FROM now() - ${time}), 0), 0)::float8`;
}
