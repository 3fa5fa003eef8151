import { IsNull, Not } from 'typeorm';
import { notify } from '../../database/notify.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { updateReturning } from '../../database/returning.ts';
import { DELIVERIES_CHANNEL } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { REMOVE_LOG_BATCH } from './webhook-purge.sql.ts';
import type { RemovedDelivery } from './webhook-purge.sql.ts';

/** So many rows of a log are gone within some 30 ms. */
const BATCH = 2000;

/** What deleted endpoints leave behind. */
export class WebhookPurgeRepository {
  /** Deletes the endpoints that are limited to a bot, as people do. Returns the ids of all that are to be removed. */
  deleteOfBot(scope: OrgScope, botId: string): Promise<string[]> {
    return inTransaction(scope, async ({ db, orgId }) => {
      const deletion = { isActive: false, deletedAt: () => 'coalesce(deleted_at, now())' };
      const webhooks = await updateReturning(db.repository(Webhook), { orgId, botId }, deletion);
      for (const { id } of webhooks) await notify(db, DELIVERIES_CHANNEL, id);
      return webhooks.map(({ id }) => id);
    });
  }

  /** Removes a batch of the log of an endpoint that is deleted, passing by what is locked. */
  deleteLogBatch({ orgId, db }: OrgScope, webhookId: string): Promise<RemovedDelivery[]> {
    return db.run(REMOVE_LOG_BATCH, [webhookId, orgId, BATCH]);
  }

  /** With what is left of its log. */
  async delete({ orgId, db }: OrgScope, id: string): Promise<void> {
    await db.repository(Webhook).delete({ id, orgId, deletedAt: Not(IsNull()) });
  }
}
