import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { DELIVERIES_CHANNEL, WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { IS_FREE } from './delivery-queue.sql.ts';

/**
 * Result of replaying a webhook delivery. `made`: created; `disabled`: the endpoint is disabled; `gone`: the
 * endpoint or delivery was deleted; `taken`: another delivery has the id.
 */
export type ReplayOutcome = 'made' | 'disabled' | 'gone' | 'taken';

const d = aliasTable(WebhookDelivery, 'd');
const w = aliasTable(Webhook, 'w');
const known = aliasTable(WebhookDelivery, 'known');

/**
 * Creates a replay of a webhook delivery. A repeated call succeeds even if the endpoint was disabled
 * meanwhile. Parameters: $1 id of the original, $2 workspace id, $3 id of the copy.
 */
export const REPLAY = defineStatement<{ outcome: ReplayOutcome }>({
  name: 'replay-delivery',
  because: 'Copies the stored row once for each id, so that the bytes are identical.',
  text: `
    WITH original AS (
      SELECT d.*, coalesce(${known('replayOfId')} = ${d('id')}, false) AS is_known, ${known('id')} IS NOT NULL AS is_taken,
             ${w('isActive')} AS is_active
      FROM ${d.from} JOIN ${w.from} ON ${w('id')} = ${d('webhookId')} AND ${w('deletedAt')} IS NULL
      LEFT JOIN ${known.from} ON ${known('id')} = $3
      WHERE ${d('id')} = $1 AND ${d('orgId')} = $2
    ), copy AS (
      INSERT INTO ${d.table} (${d.bare('id', 'replayOfId', 'isOnDemand', 'dueAt')},
                              ${d.bare('orgId', 'webhookId', 'eventId', 'event', 'payload', 'keyId')})
      SELECT $3::uuid, id, true, date_trunc('milliseconds', now()),
             ${d.bare('orgId', 'webhookId', 'eventId', 'event', 'payload', 'keyId')}
      FROM original WHERE is_active AND NOT is_taken
      ON CONFLICT (${d.bare('id')}) DO NOTHING
      RETURNING ${d.bare('id')}
    ), made AS (
      SELECT id FROM original WHERE is_known OR (is_active AND NOT is_taken)
    ), replaced AS (
      UPDATE ${d.table} SET ${d.bare('status')} = 'failed', ${d.bare('reason')} = 'replayed: It was sent again as ' || $3::text || '.'
      WHERE ${d.bare('id')} IN (SELECT id FROM made) AND ${d.bare('status')} = 'retrying' AND ${IS_FREE}
    )
    SELECT CASE WHEN EXISTS (SELECT FROM made) THEN 'made' WHEN is_taken THEN 'taken' ELSE 'disabled' END AS outcome,
           (SELECT pg_notify('${DELIVERIES_CHANNEL}', '') FROM copy)
    FROM original`,
});
