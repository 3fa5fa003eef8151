import { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { splitList, type Settings } from '../../core/settings/settings.ts';

export const WEBHOOK_USER_AGENT = 'Parley-Webhooks/1.0';

/**
 * Creates the HTTP client for customers' webhook endpoints, which refuses private addresses. It requires
 * HTTPS, except for addresses that the operator has allowed.
 */
export function createWebhookClient(settings: Pick<Settings, 'outboundAllow'>): OutboundClient {
  return new OutboundClient({
    allow: splitList(settings.outboundAllow),
    requireHttpsUnlessAllowed: true,
    userAgent: WEBHOOK_USER_AGENT,
  });
}
