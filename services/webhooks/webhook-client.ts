import { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { splitList, type Settings } from '../../core/settings/settings.ts';

export const WEBHOOK_USER_AGENT = 'Parley-Webhooks/1.0';

/** The guarded client of webhook endpoints: https, or plain http to addresses that the operator allowed. */
export function createWebhookClient(settings: Pick<Settings, 'outboundAllow'>): OutboundClient {
  return new OutboundClient({
    allow: splitList(settings.outboundAllow),
    requireHttpsUnlessAllowed: true,
    userAgent: WEBHOOK_USER_AGENT,
  });
}
