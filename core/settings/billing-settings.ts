import { Type } from '@sinclair/typebox';
import { count, optional, setting, textWithDefault, type SettingDefinition } from './setting-definition.ts';

const webhookSecret = (description: string) => Type.String({ pattern: '^whsec_\\S{1,240}$', description });

export const billingSettings = {
  plans: setting(
    'Billing',
    'PARLEY_PLANS',
    textWithDefault(
      '{}',
      'What differs from the table of plans in docs/billing.md, as JSON by tier: limits, and prices with their ids at Stripe: `{"pro":{"messages_per_month":20000,"amount_cents":9900,"price_id":"price_…"},"topup":{"price_id":"price_…"}}`.',
    ),
  ),
  stripeSecretKey: optional(
    'Billing',
    'PARLEY_STRIPE_SECRET_KEY',
    Type.String({
      pattern: '^(sk|rk)_(test|live)_[A-Za-z0-9_]{1,240}$',
      description:
        'Secret key at Stripe, better a restricted one; docs/billing.md shows how to get it. Without it nothing is sold and no plan limits anything.',
    }),
    true,
  ),
  stripeApiUrl: setting(
    'Billing',
    'PARLEY_STRIPE_API_URL',
    Type.String({
      pattern: '^https?://[^/?#]+$',
      default: 'https://api.stripe.com',
      description: 'Where Stripe’s API is.',
    }),
  ),
  stripeTimeoutMs: setting(
    'Billing',
    'PARLEY_STRIPE_TIMEOUT_MS',
    count(
      6000,
      100,
      30000,
      'Longest duration of one request to Stripe, in milliseconds; one that fails is sent up to three times.',
    ),
  ),
  stripeTax: setting(
    'Billing',
    'PARLEY_STRIPE_TAX',
    Type.Boolean({
      default: false,
      description: 'Whether Stripe works out taxes (Stripe Tax, which has to be set up there first).',
    }),
  ),
  stripeWebhookSecret: optional(
    'Billing',
    'PARLEY_STRIPE_WEBHOOK_SECRET',
    webhookSecret(
      'Signing secret of the webhook endpoint at Stripe, with which it signs what it sends to `/api/billing/provider-events`.',
    ),
    true,
  ),
  stripeWebhookSecretNext: optional(
    'Billing',
    'PARLEY_STRIPE_WEBHOOK_SECRET_NEXT',
    webhookSecret(
      'A second signing secret that is accepted as well: while the first is being replaced, or of a second endpoint.',
    ),
    true,
  ),
} satisfies Record<string, SettingDefinition>;

/** What goes only together, by the variables' names. */
export function billingProblems(values: Record<string, unknown>): string[] {
  const [secretKey, webhookSecretName] = [values['PARLEY_STRIPE_SECRET_KEY'], 'PARLEY_STRIPE_WEBHOOK_SECRET'];
  if (secretKey === undefined) return [];
  const isLive = typeof secretKey === 'string' && /^[a-z]+_live_/.test(secretKey);
  const apiUrl = values['PARLEY_STRIPE_API_URL'];
  const isReadable = typeof apiUrl === 'string' && apiUrl.startsWith('http:');
  return [
    ...(values[webhookSecretName] === undefined
      ? [`${webhookSecretName} must be set when PARLEY_STRIPE_SECRET_KEY is.`]
      : []),
    ...(isLive && isReadable
      ? ['PARLEY_STRIPE_API_URL must begin with https when PARLEY_STRIPE_SECRET_KEY is a live one.']
      : []),
  ];
}
