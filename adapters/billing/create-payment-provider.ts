import { Plans } from '../../core/billing/plans.ts';
import { splitList, type Settings } from '../../core/settings/settings.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import type { PaymentProvider } from './payment-provider.ts';

export type PaymentSettings = Pick<
  Settings,
  'plans' | 'stripeSecretKey' | 'stripeApiUrl' | 'stripeWebhookSecret' | 'stripeTimeoutMs' | 'stripeTax'
>;

/** Creates the payment provider; undefined if billing is not configured. */
export async function createPaymentProvider(
  settings: PaymentSettings,
  clients: { trusted: OutboundClient; guarded: OutboundClient },
): Promise<PaymentProvider | undefined> {
  const { stripeSecretKey: secretKey, stripeApiUrl: apiUrl, stripeTimeoutMs: timeoutMs } = settings;
  if (secretKey === undefined) return undefined;
  // The module is imported only if billing is configured, since loading Stripe's SDK takes a tenth of a
  // second.
  const { StripePayments } = await import('./stripe-payments.ts');
  const webhookSecrets = splitList(settings.stripeWebhookSecret ?? '');
  return new StripePayments({
    secretKey,
    apiUrl,
    timeoutMs,
    hasTax: settings.stripeTax,
    webhookSecrets,
    tierPriceIds: new Plans(settings).listTierPriceIds(),
    ...clients,
  });
}
