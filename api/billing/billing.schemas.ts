import { Type, type Static } from '@sinclair/typebox';
import { profileLimits, taxIdStatuses, type ProfileField } from '../../core/billing/billing-profile.ts';
import { planTiers, products } from '../../core/billing/plans.ts';
import { subscriptionStatuses } from '../../entities/billing/billing-account.entity.ts';
import { DateTime, Nullable, SingleLine, Strict, StringEnum, Uuid } from '../http/schemas/schemas.ts';
import { Limits } from './limits.schema.ts';

const Currency = Type.String({
  minLength: 3,
  maxLength: 3,
  description: 'ISO 4217 code, in lower case.',
  examples: ['usd'],
});
const Product = StringEnum(products, { description: 'A monthly tier, or a top-up.' });
const Tier = StringEnum(planTiers, { description: 'The plan that is in effect.' });

export const PlanRead = Type.Object(
  {
    tier: Product,
    name: Type.String({ description: 'The name of the tier or top-up.', examples: ['Pro'] }),
    interval: Nullable(
      StringEnum(['month'], { description: 'The billing interval; null for one-time payments.' }),
    ),
    amount_cents: Type.Integer({
      minimum: 0,
      description: 'The price in the currency’s smallest unit, without tax.',
      examples: [9900],
    }),
    currency: Currency,
    limits: Nullable(Limits),
    credits: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'Messages of one unit of a top-up, which do not expire; null for a tier.',
        examples: [1000],
      }),
    ),
    is_current: Type.Boolean({ description: 'Whether the workspace has this plan.' }),
  },
  { $id: 'PlanRead', description: 'A tier or top-up that can be bought.' },
);
export type PlanRead = Static<typeof PlanRead>;

const OpenCheckout = Type.Object(
  {
    tier: Product,
    expires_at: Nullable(DateTime('Time at which the checkout expires; null for a change of tier.')),
  },
  { $id: 'OpenCheckout', description: 'An unfinished checkout of a tier.' },
);

export const SubscriptionRead = Type.Object(
  {
    tier: Tier,
    status: StringEnum(subscriptionStatuses, {
      description:
        'none: nothing was ever bought. past_due: a payment failed and is retried; the tier stays. ended: canceled, or unpaid after all retries.',
    }),
    is_billed_here: Type.Boolean({
      description:
        'Whether this workspace pays. False for a sub-workspace, for which only tier and limits are returned.',
    }),
    period_start: Nullable(DateTime('Start of the paid period.')),
    period_end: Nullable(DateTime('End of the paid period.')),
    renews_at: Nullable(DateTime('Due date of the next payment; null for a subscription that ends.')),
    ends_at: Nullable(DateTime('End of a canceled subscription.')),
    topup_credits_left: Type.Integer({
      minimum: 0,
      description: 'Remaining messages of top-ups.',
    }),
    limits: Limits,
    checkout: Nullable(OpenCheckout),
    synced_at: Nullable(DateTime('Time of the last synchronization with the payment provider.')),
  },
  { $id: 'SubscriptionRead', description: 'The plan of the workspace, its paid period and its limits.' },
);
export type SubscriptionRead = Static<typeof SubscriptionRead>;

export const CheckoutRequest = Strict(
  {
    tier: Product,
    quantity: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 1,
        description: 'Number of top-up units; always 1 for a tier.',
      }),
    ),
  },
  { $id: 'CheckoutRequest', description: 'The item to buy. The server determines the price.' },
);
export type CheckoutRequest = Static<typeof CheckoutRequest>;

export const CheckoutResponse = Type.Object(
  {
    id: Uuid('The checkout’s id.'),
    url: Type.String({ format: 'uri', description: 'The URL to redirect the browser to.' }),
    expires_at: Nullable(
      DateTime('Time at which the checkout expires; null for a change of tier, or if nothing is due.'),
    ),
    tier: Product,
    quantity: Type.Integer({ description: 'Number of top-up units; always 1 for a tier.' }),
  },
  { $id: 'CheckoutResponse', description: 'The payment provider’s page for this purchase.' },
);
export type CheckoutResponse = Static<typeof CheckoutResponse>;

const profileTexts: Record<ProfileField, [description: string, example: string]> = {
  address_line1: ['Street and number.', 'Rua Nova 12'],
  address_line2: ['Second line of the address.', '2.º Esq.'],
  billing_email: ['The email address for the provider’s invoices.', 'accounts@example.com'],
  city: ['City.', 'Lisbon'],
  country_code: ['ISO 3166-1 code of the country.', 'PT'],
  legal_name: ['The legal name on receipts.', 'Acme Bakery, Lda.'],
  postal_code: ['Postal code.', '1100-150'],
  state_code: ['State, province or region, in countries whose addresses include one.', ''],
  tax_id: ['Tax id that is printed on receipts; requires its type.', 'PT501442600'],
  tax_id_type: ['Type of the tax id, as Stripe names it.', 'eu_vat'],
};
const describeProfileField = (name: ProfileField) => {
  const [description, example] = profileTexts[name];
  return { maxLength: profileLimits[name], description, examples: [example] };
};
const buildProfile = <T>(make: (name: ProfileField) => T) => ({
  address_line1: make('address_line1'),
  address_line2: make('address_line2'),
  billing_email: make('billing_email'),
  city: make('city'),
  country_code: make('country_code'),
  legal_name: make('legal_name'),
  postal_code: make('postal_code'),
  state_code: make('state_code'),
  tax_id: make('tax_id'),
  tax_id_type: make('tax_id_type'),
});

export const BillingProfileIn = Strict(
  buildProfile((name) => Type.Optional(SingleLine({ ...describeProfileField(name), default: '' }))),
  {
    $id: 'BillingProfileIn',
    description:
      'The billing address on receipts. It replaces the stored one completely: absent fields become empty.',
  },
);
export type BillingProfileIn = Static<typeof BillingProfileIn>;

export const BillingProfileRead = Type.Object(
  {
    ...buildProfile((name) => Type.String(describeProfileField(name))),
    tax_id_status: StringEnum(taxIdStatuses, {
      description:
        'The result of the provider’s verification of the tax id. none: there is no tax id, or its type cannot be verified. rejected: the tax id is not printed.',
    }),
    updated_at: Nullable(
      DateTime('Time at which the billing address was last saved; null if it was never saved.'),
    ),
  },
  { $id: 'BillingProfileRead', description: 'The billing address on receipts.' },
);
export type BillingProfileRead = Static<typeof BillingProfileRead>;

const Addressee = Type.Object(
  buildProfile((name) => Type.String(describeProfileField(name))),
  { $id: 'ReceiptAddressee', description: 'The billing address at the time of issue.' },
);

export const ReceiptRead = Type.Object(
  {
    id: Uuid('The receipt’s id.'),
    number: Type.String({ description: 'The printed receipt number.', examples: ['9F2C41AB-0007'] }),
    issued_at: DateTime('Time of issue.'),
    amount_cents: Type.Integer({
      minimum: 0,
      description: 'The amount including tax, in the currency’s smallest unit.',
      examples: [9900],
    }),
    tax_cents: Type.Integer({ minimum: 0, description: 'The tax included in the amount.' }),
    currency: Currency,
    status: StringEnum(['paid', 'refunded'], { description: 'refunded: the full amount was refunded.' }),
    description: Type.String({
      description: 'The items that were bought.',
      examples: ['1 × Pro (at $99.00 / month)'],
    }),
    addressee: Addressee,
    is_file_ready: Type.Boolean({ description: 'Whether the file of the receipt is ready for download.' }),
  },
  { $id: 'ReceiptRead', description: 'A receipt, as issued.' },
);
export type ReceiptRead = Static<typeof ReceiptRead>;

export const ReceiptParams = Type.Object({ receipt_id: Uuid('The receipt.') });

export const ReceiptQuery = Strict({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Maximum number of receipts.' }),
  ),
  before: Type.Optional(Uuid('Only receipts that are older than the receipt with this id.')),
});

/**
 * Body of a webhook from the payment provider. It is parsed after its signature was verified; other fields
 * are ignored.
 */
export const ProviderEventBody = Type.Object(
  {
    id: Type.String({ description: 'Id of the event at the provider.', examples: ['evt_1SxYbQ2eZvKYlo2C'] }),
    type: Type.String({ description: 'The kind of event.', examples: ['customer.subscription.updated'] }),
  },
  {
    $id: 'ProviderEvent',
    additionalProperties: true,
    description: 'An event, as sent by Stripe. The signature covers the raw body.',
  },
);
