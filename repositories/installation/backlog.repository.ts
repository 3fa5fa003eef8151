import type { Database } from '../../database/database.ts';
import { isHeld } from '../webhooks/delivery-queue.repository.ts';

export interface OutboxBacklog {
  kind: 'event' | 'command';
  pending: number;
  oldestSeconds: number;
  /** Commands that can never work. */
  parked: number;
}

export interface DeliveryBacklog {
  /** What is held back from an endpoint that fails is not pending here: it waits for a retry to succeed. */
  status: 'pending' | 'retrying';
  waiting: number;
  /** How long the longest overdue one has been due; 0 when none is. */
  overdueSeconds: number;
}

/** How much work of all workspaces lies in wait, for operators. */
export class BacklogRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  outbox(): Promise<OutboxBacklog[]> {
    return this.#db.sql<OutboxBacklog>(
      `SELECT kind, count(due_at)::int AS pending, (count(id) - count(due_at))::int AS parked,
              greatest(coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE due_at IS NOT NULL)), 0), 0)::float8
                AS "oldestSeconds"
       FROM unnest(ARRAY['event', 'command']) AS k(kind)
       LEFT JOIN (SELECT id, kind, created_at, nullif(due_at, 'infinity') AS due_at FROM outbox) o USING (kind)
       GROUP BY kind`,
    );
  }

  deliveries(): Promise<DeliveryBacklog[]> {
    return this.#db.sql<DeliveryBacklog>(
      `SELECT status, count(due_at)::int AS waiting,
              greatest(coalesce(extract(epoch FROM now() - min(due_at)), 0), 0)::float8 AS "overdueSeconds"
       FROM unnest(ARRAY['pending', 'retrying']) AS s(status)
       LEFT JOIN (SELECT d.status, d.due_at FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id AND w.deleted_at IS NULL
                  WHERE d.status = 'retrying' OR (d.status = 'pending' AND NOT ${isHeld('w')})) d
         USING (status)
       GROUP BY status`,
    );
  }
}
