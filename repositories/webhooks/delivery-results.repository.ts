import type { Database } from '../../database/database.ts';
import { notify } from '../../database/notify.ts';
import {
  DELIVERIES_CHANNEL,
  type DeliveryStatus,
  type WebhookDelivery,
} from '../../entities/webhooks/webhook-delivery.entity.ts';
import {
  LOCK_WEBHOOKS,
  WRITE_FIRST_ATTEMPT_SUCCESSES,
  WRITE_JUDGEMENTS,
  WRITE_RESULTS,
} from './delivery-results.sql.ts';
import type { JudgedWebhook, LockedWebhook } from './delivery-results.sql.ts';

/** Result of a claimed delivery. */
export interface DeliveryResult {
  id: string;
  webhookId: string;
  /** Address of the attempt. A result from a previous address does not affect the endpoint's health. */
  url: string;
  /** Attempts before this one. */
  attempts: number;
  isAttempt: boolean;
  /** True if the attempt is added to the log. An immediate success is stored only in the row itself. */
  isLogged: boolean;
  /** True if the receiver may accept the delivery later. */
  isTransient: boolean;
  status: DeliveryStatus;
  reason: string | null;
  isGone: boolean;
  responseStatus: number | null;
  /** Body in stored form. */
  responseBody: string | null;
  /** Data key of the body. The body is dropped if the delivery's row has another one by now. */
  keyId: string | null;
  durationMs: number | null;
  /** Milliseconds until the next attempt of a delivery that is `retrying` or still `pending`; null without one. */
  pauseMs: number | null;
}

/** Results of attempts. */
export class DeliveryResultsRepository {
  /** Writes deliveries that succeeded at the first attempt, and marks their endpoints as healthy. */
  async writeFirstAttemptSuccesses(db: Database, results: readonly DeliveryResult[]): Promise<void> {
    const column = <K extends keyof DeliveryResult>(key: K) => results.map((result) => result[key]);
    await db.run(WRITE_FIRST_ATTEMPT_SUCCESSES, [
      column('id'),
      column('webhookId'),
      column('url'),
      column('responseStatus'),
      column('responseBody'),
      column('durationMs'),
      column('keyId'),
    ]);
  }

  /** Locks the endpoints that are not deleted, until the transaction ends. */
  lockWebhooks(db: Database, ids: readonly string[]): Promise<LockedWebhook[]> {
    return db.run(LOCK_WEBHOOKS, [ids]);
  }

  /**
   * Writes results, and returns the written ones. Skips a result if its lease expired and another process has claimed
   * the delivery since. The caller has locked the endpoints.
   */
  write(
    db: Database,
    results: readonly DeliveryResult[],
  ): Promise<Pick<WebhookDelivery, 'id' | 'traceparent'>[]> {
    return db.run(WRITE_RESULTS, [JSON.stringify(results)]);
  }

  /** Writes the health of locked endpoints, with COMMIT. */
  updateHealthLast(db: Database, judged: readonly JudgedWebhook[]): void {
    if (judged.length > 0) db.runWithCommit(WRITE_JUDGEMENTS, [JSON.stringify(judged)]);
  }

  /** Makes the dispatchers release their leased deliveries of the endpoint. */
  announceChange(db: Database, webhookId: string): Promise<void> {
    return notify(db, DELIVERIES_CHANNEL, webhookId);
  }
}
