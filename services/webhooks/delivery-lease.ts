import type { Settings } from '../../core/settings.ts';

/** How much longer than an attempt a lease lasts: the time to wait for a start, and to write the result. */
export const LEASE_SLACK_MS = 10_000;

export function leaseMs({ webhookTimeoutMs }: Pick<Settings, 'webhookTimeoutMs'>): number {
  return webhookTimeoutMs + LEASE_SLACK_MS;
}
