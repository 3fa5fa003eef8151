import type { Database } from '../../database/database.ts';
import { notifyChannel } from '../../database/notify.ts';
import {
  DELIVERIES_CHANNEL,
  type DeliveryStatus,
  type WebhookDelivery,
} from '../../entities/webhooks/webhook-delivery.entity.ts';
import {
  COUNT_WORKFLOWS,
  LOCK_WEBHOOKS,
  WRITE_FIRST_ATTEMPT_SUCCESSES,
  WRITE_HEALTH,
  WRITE_RESULTS,
} from './delivery-results.sql.ts';
import type { WebhookWithHealth, LockedWebhook, WorkflowCount } from './delivery-results.sql.ts';

/** Result of sending, or not sending, a claimed webhook delivery. */
export interface DeliveryResult {
  id: string;
  webhookId: string;
  /**
   * URL to which the webhook delivery was sent. If the endpoint's URL has changed since, the result does not
   * affect its health.
   */
  url: string;
  /** Number of earlier attempts to send the webhook delivery. */
  attempts: number;
  isAttempt: boolean;
  /**
   * True if the attempt is also added to the delivery's log of attempts. A success at the first attempt is
   * only stored in the delivery's row.
   */
  isLogged: boolean;
  /** True if the failed attempt may succeed later, because the failure may be temporary. */
  isTransient: boolean;
  status: DeliveryStatus;
  reason: string | null;
  isGone: boolean;
  responseStatus: number | null;
  /** Body of the receiver's response to the delivery, as stored, which may be encrypted. */
  responseBody: string | null;
  /**
   * Id of the data key that encrypts the response body. If the delivery's row has another key by now, the
   * body is not stored.
   */
  keyId: string | null;
  durationMs: number | null;
  /**
   * Milliseconds until the next delivery attempt, if the status is `retrying` or still `pending`; null
   * without a next attempt.
   */
  pauseMs: number | null;
}

/** Stores the results of attempts to send webhook deliveries. */
export class DeliveryResultsRepository {
  /**
   * Stores the results of webhook deliveries that succeeded at their first attempt, and marks their endpoints
   * as healthy.
   */
  async writeFirstAttemptSuccesses(db: Database, results: readonly DeliveryResult[]): Promise<void> {
    const pluck = <K extends keyof DeliveryResult>(key: K) => results.map((result) => result[key]);
    await db.run(WRITE_FIRST_ATTEMPT_SUCCESSES, [
      pluck('id'),
      pluck('webhookId'),
      pluck('url'),
      pluck('responseStatus'),
      pluck('responseBody'),
      pluck('durationMs'),
      pluck('keyId'),
    ]);
  }

  /**
   * Returns those of the given webhook endpoints that are not deleted, and locks them until the transaction
   * ends.
   */
  lockWebhooks(db: Database, ids: readonly string[]): Promise<LockedWebhook[]> {
    return db.run(LOCK_WEBHOOKS, [ids]);
  }

  /**
   * Counts the webhook deliveries that have retry workflows, for each workspace of these endpoints.
   * @param limit maximum number to count
   * @param parkingHours how long the workflow of a failed delivery waits for a replay
   */
  countWorkflows(
    db: Database,
    webhookIds: readonly string[],
    { limit, parkingHours }: { limit: number; parkingHours: number },
  ): Promise<WorkflowCount[]> {
    return db.run(COUNT_WORKFLOWS, [webhookIds, limit, parkingHours]);
  }

  /**
   * Stores results of webhook deliveries and returns the stored results. Skips a result if its lease has
   * expired and another process has claimed the delivery. The caller has locked the endpoints.
   */
  write(
    db: Database,
    results: readonly DeliveryResult[],
  ): Promise<Pick<WebhookDelivery, 'id' | 'traceparent'>[]> {
    return db.run(WRITE_RESULTS, [JSON.stringify(results)]);
  }

  /** Stores the health of locked webhook endpoints, in the same round trip as COMMIT. */
  updateHealthLast(db: Database, healths: readonly WebhookWithHealth[]): void {
    if (healths.length > 0) db.runWithCommit(WRITE_HEALTH, [JSON.stringify(healths)]);
  }

  /**
   * Notifies webhook dispatchers that the endpoint has changed. The dispatchers release their leased
   * deliveries of this endpoint.
   */
  notifyEndpointChange(db: Database, webhookId: string): Promise<void> {
    return notifyChannel(db, DELIVERIES_CHANNEL, webhookId);
  }
}
