import { Type, type Static } from '@sinclair/typebox';
import { profileLimits, taxIdStatuses, type ProfileField } from '../../core/billing/billing-profile.ts';
import { planTiers, products } from '../../core/billing/plans.ts';
import { subscriptionStatuses } from '../../entities/billing/billing-account.entity.ts';
import { DateTime, Nullable, OneOf, Strict, Uuid } from '../http/schemas/schemas.ts';
import { Limits } from './limits.schema.ts';

const Currency = Type.String({
  minLength: 3,
  maxLength: 3,
  description: 'ISO 4217, in small letters.',
  examples: ['usd'],
});
const Product = OneOf(products, { description: 'A tier by the month, or a top-up.' });
const Tier = OneOf(planTiers, { description: 'The plan that is in effect.' });

export const PlanRead = Type.Object(
  {
    tier: Product,
    name: Type.String({ description: 'What it is called.', examples: ['Pro'] }),
    interval: Nullable(OneOf(['month'], { description: 'How often it is paid; null for once.' })),
    amount_cents: Type.Integer({
      minimum: 0,
      description: 'What it costs, in the currency’s smallest unit and without tax.',
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
  { $id: 'PlanRead', description: 'Something that can be bought.' },
);
export type PlanRead = Static<typeof PlanRead>;

const OpenCheckout = Type.Object(
  { tier: Product, expires_at: Nullable(DateTime('Until when it can be paid; null for a change of tier.')) },
  { $id: 'OpenCheckout', description: 'A checkout of a tier that nobody has finished.' },
);

export const SubscriptionRead = Type.Object(
  {
    tier: Tier,
    status: OneOf(subscriptionStatuses, {
      description:
        'none: nothing was ever bought. past_due: a payment has failed and is tried again; the tier stays. ended: cancelled, or not paid in the end.',
    }),
    is_billed_here: Type.Boolean({
      description:
        'Whether this workspace pays. False for one below another, which sees tier and limits alone.',
    }),
    period_start: Nullable(DateTime('When the paid period began.')),
    period_end: Nullable(DateTime('When it ends.')),
    renews_at: Nullable(DateTime('When the next payment is due; null for a subscription that ends.')),
    ends_at: Nullable(DateTime('When a cancelled subscription ends, or has ended.')),
    topup_credits_left: Type.Integer({
      minimum: 0,
      description: 'Messages of top-ups that are not used up.',
    }),
    limits: Limits,
    checkout: Nullable(OpenCheckout),
    synced_at: Nullable(DateTime('When this was last compared with the payment provider.')),
  },
  { $id: 'SubscriptionRead', description: 'The plan of the workspace, and what is paid for it.' },
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
        description: 'Units of a top-up; 1 for a tier.',
      }),
    ),
  },
  { $id: 'CheckoutRequest', description: 'What to buy. Its price is the server’s to know.' },
);
export type CheckoutRequest = Static<typeof CheckoutRequest>;

export const CheckoutResponse = Type.Object(
  {
    id: Uuid('The checkout’s id.'),
    url: Type.String({ format: 'uri', description: 'Where to send the browser.' }),
    expires_at: Nullable(
      DateTime('Until when it can be paid; null for a change of tier, and where there is nothing to pay.'),
    ),
    tier: Product,
    quantity: Type.Integer({ description: 'Units of it.' }),
  },
  { $id: 'CheckoutResponse', description: 'A page of the payment provider, made for this purchase.' },
);
export type CheckoutResponse = Static<typeof CheckoutResponse>;

const profileTexts: Record<ProfileField, [description: string, example: string]> = {
  address_line1: ['Street and number.', 'Rua Nova 12'],
  address_line2: ['More of the address.', '2.º Esq.'],
  billing_email: ['Where the provider sends invoices; an e-mail address.', 'accounts@example.com'],
  city: ['City.', 'Lisbon'],
  country_code: ['ISO 3166-1 code of the country.', 'PT'],
  legal_name: ['Whom receipts are addressed to.', 'Acme Bakery, Lda.'],
  postal_code: ['Postal code.', '1100-150'],
  state_code: ['State, province or region, where addresses have one.', ''],
  tax_id: ['Tax id that is printed on receipts; only together with its type.', 'PT501442600'],
  tax_id_type: ['Type of the tax id, as Stripe names it.', 'eu_vat'],
};
const profileField = (name: ProfileField, options: object = {}) => {
  const [description, example] = profileTexts[name];
  return Type.String({ maxLength: profileLimits[name], description, examples: [example], ...options });
};
const profileOf = <T>(make: (name: ProfileField) => T) => ({
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
  profileOf((name) => Type.Optional(profileField(name, { default: '' }))),
  {
    $id: 'BillingProfileIn',
    description:
      'Whom receipts are addressed to. It replaces all of what was saved: what is absent becomes empty.',
  },
);
export type BillingProfileIn = Static<typeof BillingProfileIn>;

export const BillingProfileRead = Type.Object(
  {
    ...profileOf((name) => profileField(name)),
    tax_id_status: OneOf(taxIdStatuses, {
      description:
        'What the provider says of the tax id. none: there is none, or nobody verifies ids of its type. rejected: it is not printed.',
    }),
    updated_at: Nullable(DateTime('When it was last saved; null if it never was.')),
  },
  { $id: 'BillingProfileRead', description: 'Whom receipts are addressed to.' },
);
export type BillingProfileRead = Static<typeof BillingProfileRead>;

const Addressee = Type.Object(
  profileOf((name) => profileField(name)),
  { $id: 'ReceiptAddressee', description: 'Whom the receipt is addressed to, as it was issued.' },
);

export const ReceiptRead = Type.Object(
  {
    id: Uuid('The receipt’s id.'),
    number: Type.String({ description: 'Its number, as it is printed.', examples: ['9F2C41AB-0007'] }),
    issued_at: DateTime('When it was issued.'),
    amount_cents: Type.Integer({
      minimum: 0,
      description: 'What was billed, tax included, in the currency’s smallest unit.',
      examples: [9900],
    }),
    tax_cents: Type.Integer({ minimum: 0, description: 'How much of it is tax.' }),
    currency: Currency,
    status: OneOf(['paid', 'refunded'], { description: 'refunded: all of it was given back.' }),
    description: Type.String({ description: 'What was bought.', examples: ['1 × Pro (at $99.00 / month)'] }),
    addressee: Addressee,
    is_file_ready: Type.Boolean({ description: 'Whether its file can be downloaded yet.' }),
  },
  { $id: 'ReceiptRead', description: 'What was paid, as it was issued.' },
);
export type ReceiptRead = Static<typeof ReceiptRead>;

export const ReceiptParams = Type.Object({ receipt_id: Uuid('The receipt.') });

export const ReceiptQuery = Strict({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'How many at most.' }),
  ),
  before: Type.Optional(Uuid('Only receipts that come after this one in the list.')),
});

/** Looked at once its signature is; whatever else it has is not read. */
export const ProviderEventBody = Type.Object(
  {
    id: Type.String({ description: 'Its id at the provider.', examples: ['evt_1SxYbQ2eZvKYlo2C'] }),
    type: Type.String({ description: 'What has happened.', examples: ['customer.subscription.updated'] }),
  },
  {
    $id: 'ProviderEvent',
    additionalProperties: true,
    description: 'An event as Stripe sends it. Its signature is about its bytes as they are.',
  },
);
