import { Type } from '@sinclair/typebox';
import { optional, setting, textWithDefault, type SettingDefinition } from './setting-definition.ts';

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
} satisfies Record<string, SettingDefinition>;
