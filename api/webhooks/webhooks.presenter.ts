import type { Webhook } from '../../entities/webhook.entity.ts';
import { healthOf } from '../../services/webhooks/endpoint-health.ts';
import type { LoggedDelivery } from '../../services/webhooks/webhooks.service.ts';
import type { WebhookDeliveryResponse, WebhookResponse } from './webhooks.schemas.ts';

export function presentWebhook(webhook: Webhook): WebhookResponse {
  return {
    id: webhook.id,
    org_id: webhook.orgId,
    bot_id: webhook.botId,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    api_version: webhook.apiVersion,
    is_active: webhook.isActive,
    health: healthOf(webhook),
    consecutive_failures: webhook.consecutiveFailures,
    delivery_count: webhook.deliveryCount,
    failure_count: webhook.failureCount,
    last_error: webhook.lastError,
    last_failure_at: webhook.lastFailureAt?.toISOString() ?? null,
    last_success_at: webhook.lastSuccessAt?.toISOString() ?? null,
    disabled_at: webhook.disabledAt?.toISOString() ?? null,
    secret_hint: webhook.secretHint,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}

export function presentDelivery({ delivery, webhook }: LoggedDelivery): WebhookDeliveryResponse {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event: delivery.event,
    status: delivery.status,
    attempts: delivery.attempts,
    reason: delivery.reason,
    next_attempt_at: delivery.status === 'retrying' ? delivery.dueAt.toISOString() : null,
    response_status: delivery.responseStatus,
    response_body: delivery.responseBody,
    duration_ms: delivery.durationMs,
    webhook_health: healthOf(webhook),
    payload: { event: delivery.event, data: delivery.payload },
    replay_of_id: delivery.replayOfId,
    created_at: delivery.createdAt.toISOString(),
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
  };
}
