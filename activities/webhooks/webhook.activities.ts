import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { FairShare } from '../../core/concurrency/fair-share.ts';
import type { Database } from '../../database/database.ts';
import type { DeliveryRetries } from '../../services/webhooks/delivery-retries.service.ts';
import type { AttemptOutcome } from '../../services/webhooks/send-delivery.ts';
import type { WebhookDeliveryInput } from '../../workflows/shared/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

/** Attempts that a worker makes at the same time, which workspaces share. */
export const RETRIES_AT_ONCE = 400;
const LONGEST_PAUSE_SECONDS = 30;

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

export function createWebhookActivities({
  database: db,
  deliveryRetries: retries,
  onOutcome,
}: {
  database: Database;
  deliveryRetries: DeliveryRetries;
  /** Told how each attempt ended. */
  onOutcome?: (outcome: AttemptOutcome) => void;
}) {
  const places = new FairShare(RETRIES_AT_ONCE);
  return {
    readDelivery: ({ orgId, deliveryId }: WebhookDeliveryInput) => retries.state({ orgId, db }, deliveryId),
    attemptDelivery: async ({ orgId, ...attempt }: WebhookDeliveryInput & { attempts?: number }) => {
      if (places.roomOf(orgId) === 0) throw outOfTurn(activityInfo().attempt);
      places.take(orgId);
      try {
        const state = await withHeartbeat((signal) =>
          retries.attempt({ orgId, db }, attempt, signal, onOutcome),
        );
        if (state?.isLeased) throw leased();
        return state;
      } finally {
        places.giveBack(orgId);
      }
    },
    /** Returns whether there is such a delivery. */
    giveUpDelivery: async ({ orgId, deliveryId, reason }: WebhookDeliveryInput & { reason: string }) => {
      const state = await retries.giveUp({ orgId, db }, deliveryId, reason);
      if (state?.status === 'retrying') throw leased();
      return state !== null;
    },
    replayDelivery: ({ orgId, deliveryId, replayId }: WebhookDeliveryInput & { replayId: string }) =>
      retries.replay({ orgId, db }, deliveryId, replayId),
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

/** Makes room for other workspaces at once; those who wait ask rarely, and not all at the same time. */
function outOfTurn(attempt: number): ApplicationFailure {
  const seconds = Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS) * (0.5 + Math.random());
  return ApplicationFailure.create({
    message: 'Many other attempts of this workspace are under way; waiting for some of them to end.',
    type: 'WorkspaceBusy',
    category: 'BENIGN',
    nextRetryDelay: Math.round(seconds * 1000),
  });
}
