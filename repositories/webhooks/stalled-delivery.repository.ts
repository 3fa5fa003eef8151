import type { Database } from '../../database/database.ts';
import { IS_FREE } from './delivery-queue.repository.ts';

export interface StalledDelivery {
  id: string;
  orgId: string;
  webhookId: string;
  event: string;
  url: string;
}

/** Deliveries of all workspaces that were to be tried again a while ago. */
export class StalledDeliveryRepository {
  /** Without those that the outbox will come to. */
  find(
    db: Database,
    { overdueSeconds, limit }: { overdueSeconds: number; limit: number },
  ): Promise<StalledDelivery[]> {
    return db.sql(
      `SELECT d.id, d.org_id AS "orgId", d.webhook_id AS "webhookId", d.event, w.url
       FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id AND w.deleted_at IS NULL
       WHERE d.status = 'retrying' AND d.due_at < now() - make_interval(secs => $1) AND ${IS_FREE}
         AND NOT EXISTS (
           SELECT FROM outbox o WHERE o.kind = 'command' AND o.payload #>> '{args,0,deliveryId}' = d.id::text
         )
       ORDER BY d.due_at LIMIT $2`,
      [overdueSeconds, limit],
    );
  }
}
