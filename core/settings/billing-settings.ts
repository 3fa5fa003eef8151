import { Type } from '@sinclair/typebox';
import { optional, setting, textWithDefault, type SettingDefinition } from './setting-definition.ts';

export const billingSettings = {
  plans: setting(
    'Billing',
    'PARLEY_PLANS',
    textWithDefault(
      '{}',
      'Overrides of the plans in docs/billing.md, as JSON by tier: limits, and prices with their ids at Stripe: `{"pro":{"messages_per_month":20000,"amount_cents":9900,"price_id":"price_…"},"topup":{"price_id":"price_…"}}`.',
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
  stripeTax: setting(
    'Billing',
    'PARLEY_STRIPE_TAX',
    Type.Boolean({
      default: false,
      description: 'Whether Stripe calculates taxes (requires Stripe Tax to be set up first).',
    }),
  ),
  stripeWebhookSecret: optional(
    'Billing',
    'PARLEY_STRIPE_WEBHOOK_SECRET',
    Type.String({
      pattern: '^whsec_[^\\s,]{1,240}(,whsec_[^\\s,]{1,240})?$',
      description:
        'Signing secret of the webhook endpoint at Stripe, with which it signs what it sends to `/api/billing/provider-events`. Two, with a comma between, while one is being replaced, or of two endpoints.',
    }),
    true,
  ),
} satisfies Record<string, SettingDefinition>;

/** Returns errors for variables that must be set together, by name. */
export function billingProblems(values: Record<string, unknown>): string[] {
  const [secretKey, webhookSecretName] = [values['PARLEY_STRIPE_SECRET_KEY'], 'PARLEY_STRIPE_WEBHOOK_SECRET'];
  if (secretKey === undefined) return [];
  return values[webhookSecretName] === undefined
    ? [`${webhookSecretName} must be set when PARLEY_STRIPE_SECRET_KEY is.`]
    : [];
}
