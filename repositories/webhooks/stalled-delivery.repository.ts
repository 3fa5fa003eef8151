import type { Database } from '../../database/database.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { IS_FREE } from './delivery-queue.sql.ts';

export type StalledDelivery = Pick<WebhookDelivery, 'id' | 'orgId' | 'webhookId' | 'event'> &
  Pick<Webhook, 'url'>;

/** Finds webhook deliveries of all workspaces whose retry is overdue, because their workflow may be lost. */
export class StalledDeliveryRepository {
  /** Lists overdue webhook deliveries, except those that have a pending command in the outbox. */
  list(
    db: Database,
    { overdueSeconds, limit }: { overdueSeconds: number; limit: number },
  ): Promise<StalledDelivery[]> {
    const deliveries = db.repository(WebhookDelivery).createQueryBuilder('row');
    const commands = deliveries
      .subQuery()
      .select('1')
      .from(OutboxRow, 'command')
      .where("command.kind = 'command' AND command.payload #>> '{args,0,deliveryId}' = row.id::text");
    return deliveries
      .select([
        'row.id AS "id"',
        'row.orgId AS "orgId"',
        'row.webhookId AS "webhookId"',
        'row.event AS "event"',
      ])
      .addSelect('webhook.url', 'url')
      .innerJoin(Webhook, 'webhook', 'webhook.id = row.webhookId AND webhook.deletedAt IS NULL')
      .where("row.status = 'retrying' AND row.dueAt < now() - make_interval(secs => :overdueSeconds)", {
        overdueSeconds,
      })
      .andWhere(IS_FREE)
      .andWhere(`NOT EXISTS ${commands.getQuery()}`)
      .orderBy('row.dueAt')
      .limit(limit)
      .getRawMany<StalledDelivery>();
  }
}
