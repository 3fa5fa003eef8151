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

/** Attempts that a worker makes at the same time, which workspaces share. */
export const RETRIES_AT_ONCE = 400;
const TOO_MANY = { what: 'attempts', type: 'WorkspaceBusy' };

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
  /** The same one for attempts, from `createQueueDataSource`. */
  queues: Database;
  deliveryRetries: DeliveryRetries;
  stalledDeliveries: StalledDeliveries;
  webhookPurge: WebhookPurge;
  /** Told how each attempt ended. */
  onOutcome?: (outcome: AttemptOutcome) => void;
}) {
  const slots = new FairShare(RETRIES_AT_ONCE);
  return {
    readDelivery: ({ orgId, deliveryId }: WebhookDeliveryInput) => retries.state({ orgId, db }, deliveryId),
    attemptDelivery: async ({ orgId, ...attempt }: WebhookDeliveryInput & { attempts?: number }) => {
      return withFairSlot(slots, orgId, TOO_MANY, async () => {
        const state = await withHeartbeat((signal) =>
          retries.attempt({ orgId, db }, attempt, signal, onOutcome),
        );
        if (state?.isLeased) throw leased();
        return state;
      });
    },
    /** Returns whether there is such a delivery. */
    giveUpDelivery: async ({ orgId, deliveryId, reason }: WebhookDeliveryInput & { reason: string }) => {
      const state = await retries.giveUp({ orgId, db }, deliveryId, reason);
      if (state?.status === 'retrying') throw leased();
      return state !== null;
    },
    replayDelivery: ({ orgId, deliveryId, replayId }: WebhookDeliveryInput & { replayId: string }) =>
      retries.replay({ orgId, db }, deliveryId, replayId),
    resumeStalledDeliveries: () => stalledDeliveries.resume(database),
    removeWebhook: ({ orgId, endpointId: webhookId }: PurgeWebhookInput) =>
      withHeartbeat((signal) => webhookPurge.remove({ orgId, db: database }, webhookId, signal)),
  };
}

/** A worker that has ended since may have sent it: its lease must pass before it is sent again. */
function leased(): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'Another worker has begun this attempt; waiting for its lease to end.',
    type: 'DeliveryLeased',
    category: 'BENIGN',
  });
}
