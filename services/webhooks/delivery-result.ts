import { keyRetryDelayMs } from '../../core/encryption/key-retry.ts';
import type { DeliveryStatus } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type { DeliveryResult } from '../../repositories/webhooks/delivery-results.repository.ts';
import type { StartCommand } from '../../core/workflows/commands.ts';
import { computeRetryPause, computePostponement } from './retry-schedule.ts';
import type { AttemptOutcome } from './send-delivery.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

/**
 * Result of an attempt to send a webhook delivery, and the command that starts the delivery's retry workflow.
 * The command is null if a workflow already exists or none is needed.
 */
export interface RecordableResult extends DeliveryResult {
  takeOver: StartCommand<'webhookDelivery'> | null;
}

/**
 * Derives the new state of a webhook delivery from the outcome of an attempt: delivered, to be retried after
 * a pause, failed, or unchanged.
 */
export function toDeliveryResult(
  { id, webhookId, url, attempts, ageMs, keyId }: ClaimedDelivery,
  outcome: AttemptOutcome,
  schedule: readonly number[],
): RecordableResult {
  const { result, isAttempt, reason, isGone, responseStatus, responseBody, durationMs } = outcome;
  const isTransient = result === 'transient';
  const pauseMs = choosePause();
  const status = chooseStatus();
  return {
    id,
    webhookId,
    url,
    attempts,
    isAttempt,
    isLogged: isAttempt && (status !== 'delivered' || attempts > 0),
    isTransient,
    status,
    reason,
    isGone,
    responseStatus,
    responseBody,
    keyId,
    durationMs,
    pauseMs: pauseMs ?? null,
    takeOver: null,
  };

  function chooseStatus(): DeliveryStatus {
    if (result === 'delivered') return 'delivered';
    if (pauseMs === undefined) return 'failed';
    return !isTransient && attempts === 0 ? 'pending' : 'retrying';
  }

  function choosePause(): number | undefined {
    if (result === 'held') return keyRetryDelayMs(ageMs);
    if (result === 'postponed') return computePostponement(ageMs);
    return isTransient ? computeRetryPause(schedule, attempts + 1, outcome.retryAfterMs) : undefined;
  }
}
