import { DELIVERIES_CHANNEL, type DeliveryStatus } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** A delivery that has been removed from the log. */
export interface RemovedDelivery {
  id: string;
  orgId: string;
  webhookId: string;
  event: string;
  status: DeliveryStatus;
  url: string;
}

/** So many rows of a log are gone within some 30 ms. */
const BATCH = 2000;

/** What deleted endpoints leave behind. */
export class EndpointPurgeRepository {
  /** Deletes the endpoints that are limited to a bot, as people do. Returns the ids of all that are to be removed. */
  async deleteOfBot({ orgId, db }: OrgScope, botId: string): Promise<string[]> {
    const endpoints = await db.sql<{ id: string }>(
      `UPDATE webhooks SET is_active = false, deleted_at = coalesce(deleted_at, now())
       WHERE org_id = $1 AND bot_id = $2
       RETURNING id, pg_notify('${DELIVERIES_CHANNEL}', id::text)`,
      [orgId, botId],
    );
    return endpoints.map(({ id }) => id);
  }

  /** Removes a batch of the log of an endpoint that is deleted, passing by what is locked. */
  removeLogBatch({ orgId, db }: OrgScope, webhookId: string): Promise<RemovedDelivery[]> {
    return db.sql(
      `DELETE FROM webhook_deliveries d USING webhooks w
       WHERE w.id = d.webhook_id AND w.deleted_at IS NOT NULL AND d.id = ANY(ARRAY(
         SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND org_id = $2
         LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
       RETURNING d.id, d.org_id AS "orgId", d.webhook_id AS "webhookId", d.event, d.status, w.url`,
      [webhookId, orgId],
    );
  }

  /** With what is left of its log. */
  async remove({ orgId, db }: OrgScope, webhookId: string): Promise<void> {
    await db.sql('DELETE FROM webhooks WHERE id = $1 AND org_id = $2 AND deleted_at IS NOT NULL', [
      webhookId,
      orgId,
    ]);
  }
}
