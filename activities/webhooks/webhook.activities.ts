import { ApplicationFailure } from '@temporalio/common';
import { FairShare } from '../../core/concurrency/fair-share.ts';
import type { Database } from '../../database/database.ts';
import type { DeliveryRetries } from '../../services/webhooks/delivery-retries.ts';
import type { StalledDeliveries } from '../../services/webhooks/stalled-deliveries.ts';
import type { WebhookPurge } from '../../services/webhooks/webhook-purge.ts';
import type { AttemptOutcome } from '../../services/webhooks/send-delivery.ts';
import type { PurgeWebhookInput, WebhookDeliveryInput } from '../../core/workflows/commands.ts';
import { withFairSlot } from '../with-fair-slot.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

/**
 * Maximum number of attempts to deliver webhook events that one worker makes at once, for all payers
 * together.
 */
export const RETRIES_AT_ONCE = 400;
const TOO_MANY = { noun: 'attempts', type: 'WorkspaceBusy' };

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

export function createWebhookActivities({
  database,
  queues: db,
  deliveryRetries: retries,
  stalledDeliveries,
  webhookPurge,
  onOutcome,
}: {
  database: Database;
  /**
   * Database whose connections come from `createQueueDataSource`; used only for attempts to deliver webhook
   * events.
   */
  queues: Database;
  deliveryRetries: DeliveryRetries;
  stalledDeliveries: StalledDeliveries;
  webhookPurge: WebhookPurge;
  /** Callback after each attempt to deliver a webhook event, with the attempt's outcome. */
  onOutcome?: (outcome: AttemptOutcome) => void;
}) {
  const slots = new FairShare(RETRIES_AT_ONCE);
  return {
    readDelivery: ({ orgId, deliveryId }: WebhookDeliveryInput) =>
      retries.getState({ orgId, db }, deliveryId),
    attemptDelivery: async ({ orgId, ...attempt }: WebhookDeliveryInput & { attempts?: number }) => {
      const scope = { orgId, db };
      return withFairSlot(slots, scope, TOO_MANY, async () => {
        const state = await withHeartbeat((signal) => retries.attempt(scope, attempt, signal, onOutcome));
        if (state?.isLeased) throw createLeasedFailure();
        return state;
      });
    },
    /**
     * Marks a webhook delivery that waits for its next attempt as failed. Returns whether the delivery
     * exists.
     */
    giveUpDelivery: async ({ orgId, deliveryId, reason }: WebhookDeliveryInput & { reason: string }) => {
      const state = await retries.cancel({ orgId, db }, deliveryId, reason);
      if (state?.status === 'retrying') throw createLeasedFailure();
      return state !== null;
    },
    replayDelivery: ({ orgId, deliveryId, replayId }: WebhookDeliveryInput & { replayId: string }) =>
      retries.replay({ orgId, db }, deliveryId, replayId),
    resumeStalledDeliveries: () => stalledDeliveries.resume(database),
    removeWebhook: ({ orgId, endpointId: webhookId }: PurgeWebhookInput) =>
      withHeartbeat((signal) => webhookPurge.remove({ orgId, db: database }, webhookId, signal)),
  };
}

/**
 * Creates the failure of an activity while another worker's lease on the webhook delivery is valid. That
 * worker may have sent the event, even if it has died.
 */
function createLeasedFailure(): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'Another worker has begun this attempt; waiting for its lease to end.',
    type: 'DeliveryLeased',
    category: 'BENIGN',
  });
}
