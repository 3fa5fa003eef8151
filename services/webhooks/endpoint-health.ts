import { FAILING_FROM, type Webhook } from '../../entities/webhooks/webhook.entity.ts';

export const endpointHealths = ['unknown', 'healthy', 'degraded', 'failing', 'disabled'] as const;
export type EndpointHealth = (typeof endpointHealths)[number];

/** Derives the health of a webhook endpoint from its counters of deliveries and failures. */
export function getEndpointHealth({ isActive, consecutiveFailures, deliveryCount }: Webhook): EndpointHealth {
  if (!isActive) return 'disabled';
  if (consecutiveFailures >= FAILING_FROM) return 'failing';
  if (consecutiveFailures > 0) return 'degraded';
  return deliveryCount > 0 ? 'healthy' : 'unknown';
}
