import { IsNull, Not } from 'typeorm';
import { notifyChannel } from '../../database/notify.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { updateReturning } from '../../database/returning.ts';
import { DELIVERIES_CHANNEL } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { REMOVE_LOG_BATCH } from './webhook-purge.sql.ts';
import type { RemovedDelivery } from './webhook-purge.sql.ts';

/** Number of webhook deliveries that one batch deletes. Deleting a batch takes about 30 ms. */
const BATCH_SIZE = 2000;

/** Deletes webhook endpoints that are marked as deleted, with their rows. */
export class WebhookPurgeRepository {
  /** Marks the webhook endpoints of a deleted bot as deleted. Returns the ids of the endpoints to purge. */
  markDeletedByBot(scope: OrgScope, botId: string): Promise<string[]> {
    return inTransaction(scope, async ({ db, orgId }) => {
      const deletion = { isActive: false, deletedAt: () => 'coalesce(deleted_at, now())' };
      const webhooks = await updateReturning(db.repository(Webhook), { orgId, botId }, deletion);
      for (const { id } of webhooks) await notifyChannel(db, DELIVERIES_CHANNEL, id);
      return webhooks.map(({ id }) => id);
    });
  }

  /** Deletes a batch of deliveries from the log of a deleted webhook endpoint. Skips locked rows. */
  deleteLogBatch({ orgId, db }: OrgScope, webhookId: string): Promise<RemovedDelivery[]> {
    return db.run(REMOVE_LOG_BATCH, [webhookId, orgId, BATCH_SIZE]);
  }

  /** Deletes a webhook endpoint, and with it the rest of its log. */
  async delete({ orgId, db }: OrgScope, id: string): Promise<void> {
    await db.repository(Webhook).delete({ id, orgId, deletedAt: Not(IsNull()) });
  }
}
