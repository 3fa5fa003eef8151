import type { Settings } from '../../core/settings/settings.ts';
import type { DeliveryResult } from '../../repositories/webhooks/delivery-results.repository.ts';
import type { LockedWebhook, WebhookHealth } from '../../repositories/webhooks/delivery-results.sql.ts';

/**
 * Settings that decide when a webhook endpoint is disabled: number of consecutive failures, and hours without
 * a success.
 */
export type DisablingSettings = Pick<Settings, 'webhookDisableFailures' | 'webhookDisableHours'>;

/** The fields of an attempt's result that affect the health of its webhook endpoint. */
export type HealthResult = Pick<
  DeliveryResult,
  'url' | 'status' | 'isAttempt' | 'isTransient' | 'isGone' | 'reason'
>;

export interface EndpointUpdate {
  /** New health of the webhook endpoint; undefined if no attempt was made at the endpoint's current URL. */
  health: WebhookHealth | undefined;
  /** True if the webhook endpoint was active and is disabled now. */
  isDisabled: boolean;
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Derives the health of a webhook endpoint from the results of attempts. A success resets the count of
 * failures. `410 Gone` disables the endpoint at once; other failures disable it after many hours without a
 * success.
 * @param results results for the endpoint, oldest first
 */
export function computeEndpointUpdate(
  endpoint: LockedWebhook,
  results: readonly HealthResult[],
  { webhookDisableFailures, webhookDisableHours }: DisablingSettings,
): EndpointUpdate {
  const attempts = results.filter(({ isAttempt, url }) => isAttempt && url === endpoint.url);
  if (attempts.length === 0) return { health: undefined, isDisabled: false };
  const { now } = endpoint;
  const failures = attempts.filter(isFailure);
  const lastSuccess = attempts.findLastIndex((attempt) => !isFailure(attempt));
  const hasSuccess = lastSuccess >= 0;
  const streak = attempts.slice(lastSuccess + 1);
  const before = hasSuccess ? HEALTH_AFTER_SUCCESS : endpoint;
  const consecutiveFailures = before.consecutiveFailures + streak.length;
  const failingSince = streak.length > 0 ? (before.failingSince ?? now) : null;
  const exceedsThresholds =
    consecutiveFailures >= webhookDisableFailures &&
    failingSince !== null &&
    failingSince.getTime() <= now.getTime() - webhookDisableHours * HOUR_MS;
  const isDisabled = endpoint.isActive && (exceedsThresholds || attempts.some(({ isGone }) => isGone));
  return {
    health: {
      isActive: endpoint.isActive && !isDisabled,
      disabledAt: isDisabled ? now : endpoint.disabledAt,
      deliveryCount: endpoint.deliveryCount + attempts.length,
      failureCount: endpoint.failureCount + failures.length,
      consecutiveFailures,
      transientFailures: before.transientFailures + streak.filter(({ isTransient }) => isTransient).length,
      failingSince,
      lastError: failures.at(-1)?.reason ?? endpoint.lastError,
      lastSuccessAt: hasSuccess ? now : endpoint.lastSuccessAt,
      lastFailureAt: failures.length > 0 ? now : endpoint.lastFailureAt,
    },
    isDisabled,
  };
}

/** Health of a webhook endpoint after a successful delivery. */
const HEALTH_AFTER_SUCCESS = { consecutiveFailures: 0, transientFailures: 0, failingSince: null };

function isFailure({ status }: HealthResult): boolean {
  return status !== 'delivered';
}
