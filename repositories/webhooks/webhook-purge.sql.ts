import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';

/** A webhook delivery that was deleted from the log. */
export type RemovedDelivery = Pick<WebhookDelivery, 'id' | 'orgId' | 'webhookId' | 'event' | 'status'> &
  Pick<Webhook, 'url'>;

const d = aliasTable(WebhookDelivery, 'd');
const w = aliasTable(Webhook, 'w');

/**
 * Deletes a batch of deliveries from the log of a webhook endpoint. Parameters: $1 endpoint id, $2 workspace
 * id, $3 limit.
 */
export const REMOVE_LOG_BATCH = defineStatement<RemovedDelivery>({
  name: 'remove-log-batch',
  because: 'DELETE has no LIMIT; a subquery limits the rows and skips locked ones.',
  text: `
    DELETE FROM ${d.from} USING ${w.from}
    WHERE ${w('id')} = ${d('webhookId')} AND ${w('deletedAt')} IS NOT NULL AND ${d('id')} = ANY(ARRAY(
      SELECT ${d.bare('id')} FROM ${d.table} WHERE ${d.bare('webhookId')} = $1 AND ${d.bare('orgId')} = $2
      LIMIT $3 FOR UPDATE SKIP LOCKED))
    RETURNING ${d.as('id', 'orgId', 'webhookId', 'event', 'status')}, ${w.as('url')}`,
});
