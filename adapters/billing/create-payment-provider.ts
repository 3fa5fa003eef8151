import { splitList, type Settings } from '../../core/settings/settings.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import type { PaymentProvider } from './payment-provider.ts';

export type PaymentSettings = Pick<
  Settings,
  'stripeSecretKey' | 'stripeApiUrl' | 'stripeWebhookSecret' | 'stripeTimeoutMs' | 'stripeTax'
>;

/** Undefined where nothing is sold. */
export async function createPaymentProvider(
  settings: PaymentSettings,
  clients: { trusted: OutboundClient; guarded: OutboundClient },
): Promise<PaymentProvider | undefined> {
  const { stripeSecretKey: secretKey, stripeApiUrl: apiUrl, stripeTimeoutMs: timeoutMs } = settings;
  if (secretKey === undefined) return undefined;
  // It takes a tenth of a second to load.
  const { StripePayments } = await import('./stripe-payments.ts');
  const webhookSecrets = splitList(settings.stripeWebhookSecret ?? '');
  return new StripePayments({
    secretKey,
    apiUrl,
    timeoutMs,
    hasTax: settings.stripeTax,
    webhookSecrets,
    ...clients,
  });
}
