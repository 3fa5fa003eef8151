import { Type } from '@sinclair/typebox';
import { optional, setting, textWithDefault, type SettingDefinition } from './setting-definition.ts';

export const billingSettings = {
  plans: setting(
    'Billing',
    'PARLEY_PLANS',
    textWithDefault(
      '{}',
      'Overrides for the plans in docs/billing.md: JSON by tier with limits and Stripe prices, e.g. `{"pro":{"messages_per_month":20000,"amount_cents":9900,"price_id":"price_…"},"topup":{"price_id":"price_…"}}`.',
    ),
  ),
  stripeSecretKey: optional(
    'Billing',
    'PARLEY_STRIPE_SECRET_KEY',
    Type.String({
      pattern: '^(sk|rk)_(test|live)_[A-Za-z0-9_]{1,240}$',
      form: 'a Stripe key that begins with sk_live_, sk_test_, rk_live_ or rk_test_',
      description:
        'Stripe secret key, preferably restricted (docs/billing.md). If this is not set, Parley sells no plans and enforces no limits.',
    }),
    true,
  ),
  stripeTax: setting(
    'Billing',
    'PARLEY_STRIPE_TAX',
    Type.Boolean({
      default: false,
      description: 'Let Stripe calculate taxes (set up Stripe Tax first).',
    }),
  ),
  stripeWebhookSecret: optional(
    'Billing',
    'PARLEY_STRIPE_WEBHOOK_SECRET',
    Type.String({
      pattern: '^whsec_[^\\s,]{1,240}(,whsec_[^\\s,]{1,240})?$',
      form: 'a Stripe secret that begins with whsec_, or two separated by a comma',
      description:
        'Signing secret of Stripe’s webhook to `/api/billing/provider-events`. Set two secrets, separated by a comma, while you replace a secret or if you have two endpoints.',
    }),
    true,
  ),
} satisfies Record<string, SettingDefinition>;

/**
 * Returns an error for each environment variable for payments that is missing although a related variable is
 * set.
 */
export function listBillingProblems(values: Record<string, unknown>): string[] {
  const [secretKey, webhookSecretName] = [values['PARLEY_STRIPE_SECRET_KEY'], 'PARLEY_STRIPE_WEBHOOK_SECRET'];
  if (secretKey === undefined) return [];
  return values[webhookSecretName] === undefined
    ? [`${webhookSecretName} must be set when PARLEY_STRIPE_SECRET_KEY is.`]
    : [];
}
