import type { Database } from '../../database/database.ts';
import { notify } from '../../database/notify.ts';
import {
  DELIVERIES_CHANNEL,
  type DeliveryStatus,
  type WebhookDelivery,
} from '../../entities/webhooks/webhook-delivery.entity.ts';
import {
  LOCK_WEBHOOKS,
  RECORD_TAKEN_AT_ONCE,
  WRITE_JUDGEMENTS,
  WRITE_RESULTS,
} from './delivery-results.sql.ts';
import type { JudgedWebhook, LockedWebhook } from './delivery-results.sql.ts';

/** What became of a claimed delivery. */
export interface DeliveryResult {
  id: string;
  webhookId: string;
  /** Where it was sent: what an address did that the endpoint no longer has says nothing of its health. */
  url: string;
  /** Attempts before this one. */
  attempts: number;
  isAttempt: boolean;
  /** The attempt has a place in the delivery's log: one that is delivered at once is in the row itself. */
  isLogged: boolean;
  /** The receiver may take it later. */
  isTransient: boolean;
  status: DeliveryStatus;
  reason: string | null;
  isGone: boolean;
  responseStatus: number | null;
  /** As it is stored, */
  responseBody: string | null;
  /** where the delivery's row has this data key still. */
  keyId: string | null;
  durationMs: number | null;
  /** From now to the next attempt of a delivery that is `retrying`, or still `pending`; null when there is none. */
  pauseMs: number | null;
}

/** What attempts came to. */
export class DeliveryResultsRepository {
  /** Writes what was all delivered at the first attempt, and that their endpoints are well. */
  async recordTakenAtOnce(db: Database, results: readonly DeliveryResult[]): Promise<void> {
    const column = <K extends keyof DeliveryResult>(key: K) => results.map((result) => result[key]);
    await db.run(RECORD_TAKEN_AT_ONCE, [
      column('id'),
      column('webhookId'),
      column('url'),
      column('responseStatus'),
      column('responseBody'),
      column('durationMs'),
      column('keyId'),
    ]);
  }

  /** Locks the endpoints, without those that are deleted, until the transaction ends. */
  lockWebhooks(db: Database, ids: readonly string[]): Promise<LockedWebhook[]> {
    return db.run(LOCK_WEBHOOKS, [ids]);
  }

  /**
   * Writes results of endpoints that are locked. Returns those that were written, without any whose lease has expired and
   * which somebody else has acted upon since.
   */
  write(
    db: Database,
    results: readonly DeliveryResult[],
  ): Promise<Pick<WebhookDelivery, 'id' | 'traceparent'>[]> {
    return db.run(WRITE_RESULTS, [JSON.stringify(results)]);
  }

  /** Writes the health of endpoints that are locked, with COMMIT. */
  updateHealthLast(db: Database, judged: readonly JudgedWebhook[]): void {
    if (judged.length > 0) db.runWithCommit(WRITE_JUDGEMENTS, [JSON.stringify(judged)]);
  }

  /** Has the dispatchers let go of what they hold of the endpoint. */
  announceChange(db: Database, webhookId: string): Promise<void> {
    return notify(db, DELIVERIES_CHANNEL, webhookId);
  }
}
