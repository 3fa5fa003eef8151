import { getEndpointHealth } from '../../services/webhooks/endpoint-health.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type { LoggedDelivery } from '../../services/webhooks/delivery-service.ts';
import type { WebhookDeliveryResponse, WebhookTestResponse } from './webhooks.schemas.ts';

const NOT_SENT = 'not_sent: The event could not be sent yet; see the delivery log later.';

/**
 * Explains why a webhook delivery waits, with the command that sends it at once if the endpoint works again.
 */
function describeHold(webhookId: string): string {
  return `endpoint_failing: The endpoint keeps failing. The delivery is sent as soon as a retry of an earlier delivery succeeds. To send it now, run parley webhooks test ${webhookId}.`;
}

export function presentDelivery({
  delivery,
  webhook,
  replayedAsId,
  isEndpointHeld,
}: LoggedDelivery): WebhookDeliveryResponse {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event: delivery.event,
    status: delivery.status,
    attempts: delivery.attempts,
    attempt_log: presentAttempts(delivery),
    reason: isEndpointHeld && isHeldBack(delivery) ? describeHold(delivery.webhookId) : delivery.reason,
    next_attempt_at: delivery.status === 'retrying' ? delivery.dueAt.toISOString() : null,
    response_status: delivery.responseStatus,
    response_body: delivery.responseBody,
    duration_ms: delivery.durationMs,
    webhook_health: getEndpointHealth(webhook),
    payload: { event: delivery.event, data: delivery.payload },
    replay_of_id: delivery.replayOfId,
    replayed_as_id: replayedAsId,
    created_at: delivery.createdAt.toISOString(),
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
  };
}

/**
 * Presents the attempts of a webhook delivery. A delivery that succeeded at once stores no attempt log, so
 * its only attempt is built from the delivery's row.
 */
function presentAttempts(delivery: Opened<WebhookDelivery>): WebhookDeliveryResponse['attempt_log'] {
  const { attempts, attemptLog, deliveredAt, durationMs } = delivery;
  if (attempts === 0) return [];
  const last = {
    at: deliveredAt && new Date(deliveredAt.getTime() - (durationMs ?? 0)).toISOString(),
    isDelivered: delivery.status === 'delivered',
    reason: delivery.reason,
    responseStatus: delivery.responseStatus,
    durationMs,
  };
  const loggedAttempts = attemptLog ?? [last];
  return loggedAttempts.map(({ at, isDelivered, reason, responseStatus, durationMs: tookMs }, index) => ({
    number: attempts - loggedAttempts.length + index + 1,
    at: at && new Date(at).toISOString(),
    outcome: isDelivered ? 'delivered' : 'failed',
    reason,
    response_status: responseStatus,
    duration_ms: tookMs,
  }));
}

function isHeldBack({ status, isOnDemand }: Pick<WebhookDelivery, 'status' | 'isOnDemand'>): boolean {
  return status === 'pending' && !isOnDemand;
}

export function presentTest({ id, status, ...delivery }: WebhookDelivery): WebhookTestResponse {
  return {
    delivery_id: id,
    ok: status === 'delivered',
    status_code: delivery.responseStatus,
    duration_ms: delivery.durationMs ?? 0,
    error: status === 'pending' ? (delivery.reason ?? NOT_SENT) : delivery.reason,
  };
}
