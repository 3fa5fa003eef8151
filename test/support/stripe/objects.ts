import type Stripe from 'stripe';
import type { StoredFields, List } from './stored-fields.ts';
import type { Charge, Invoice, InvoicePayment, PaymentIntent, Refund } from './payment-objects.ts';

export type Address = Stripe.Address;

export type Customer = StoredFields<
  Stripe.Customer,
  | 'id'
  | 'object'
  | 'address'
  | 'balance'
  | 'created'
  | 'currency'
  | 'delinquent'
  | 'description'
  | 'email'
  | 'invoice_prefix'
  | 'livemode'
  | 'metadata'
  | 'name'
  | 'next_invoice_sequence'
  | 'phone'
  | 'preferred_locales'
  | 'tax_exempt'
> & { deleted?: true };

export type TaxId = StoredFields<
  Stripe.TaxId,
  'id' | 'object' | 'country' | 'created' | 'customer' | 'livemode' | 'type' | 'value' | 'verification'
>;

type Product = StoredFields<
  Stripe.Product,
  'id' | 'object' | 'active' | 'created' | 'description' | 'livemode' | 'metadata' | 'name' | 'updated'
>;

export type Price = StoredFields<
  Stripe.Price,
  | 'id'
  | 'object'
  | 'active'
  | 'billing_scheme'
  | 'created'
  | 'currency'
  | 'livemode'
  | 'lookup_key'
  | 'metadata'
  | 'nickname'
  | 'product'
  | 'type'
  | 'unit_amount'
> & { recurring: { interval: 'month'; interval_count: 1; usage_type: 'licensed' } | null };

export interface LineItem extends StoredFields<
  Stripe.LineItem,
  | 'id'
  | 'object'
  | 'amount_discount'
  | 'amount_subtotal'
  | 'amount_tax'
  | 'amount_total'
  | 'currency'
  | 'description'
> {
  price: Price;
  quantity: number;
}

export type CheckoutSession = StoredFields<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_subtotal'
  | 'amount_total'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'customer'
  | 'customer_email'
  | 'expires_at'
  | 'invoice'
  | 'livemode'
  | 'metadata'
  | 'mode'
  | 'payment_intent'
  | 'payment_status'
  | 'status'
  | 'subscription'
  | 'success_url'
  | 'total_details'
  | 'ui_mode'
  | 'url'
> & {
  automatic_tax: { enabled: boolean };
  invoice_creation: { enabled: boolean } | null;
};

export interface SubscriptionItem extends StoredFields<
  Stripe.SubscriptionItem,
  | 'id'
  | 'object'
  | 'created'
  | 'current_period_start'
  | 'current_period_end'
  | 'metadata'
  | 'subscription'
  | 'billed_until'
> {
  price: Price;
  quantity: number;
}

export type Subscription = StoredFields<
  Stripe.Subscription,
  | 'id'
  | 'object'
  | 'billing_cycle_anchor'
  | 'cancel_at'
  | 'cancel_at_period_end'
  | 'canceled_at'
  | 'cancellation_details'
  | 'collection_method'
  | 'created'
  | 'currency'
  | 'customer'
  | 'description'
  | 'ended_at'
  | 'latest_invoice'
  | 'livemode'
  | 'metadata'
  | 'schedule'
  | 'start_date'
  | 'status'
  | 'trial_end'
  | 'trial_start'
> & { automatic_tax: { enabled: boolean }; items: List<SubscriptionItem> };

export type PortalConfiguration = StoredFields<
  Stripe.BillingPortal.Configuration,
  | 'id'
  | 'object'
  | 'active'
  | 'created'
  | 'default_return_url'
  | 'is_default'
  | 'livemode'
  | 'metadata'
  | 'updated'
> & { business_profile: object; features: PortalFeatures };

export interface PortalFeatures {
  subscription_update: {
    enabled: boolean;
    default_allowed_updates: string[];
    products: { product: string; prices: string[] }[];
    proration_behavior: string;
  };
  subscription_cancel: { enabled: boolean; mode: string };
  customer_update: { enabled: boolean; allowed_updates: string[] };
  invoice_history: { enabled: boolean };
  payment_method_update: { enabled: boolean };
}

export type PortalSession = StoredFields<
  Stripe.BillingPortal.Session,
  'id' | 'object' | 'configuration' | 'created' | 'customer' | 'livemode' | 'return_url' | 'url'
> & { flow: PortalFlow | null };

export interface PortalFlow {
  type: string;
  after_completion: { type: string; redirect: { return_url: string } | null };
  subscription_update_confirm: {
    subscription: string;
    items: { id: string; price: string; quantity: number }[];
  } | null;
}

export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

export type StripeObject =
  | Customer
  | TaxId
  | Product
  | Price
  | LineItem
  | CheckoutSession
  | Subscription
  | Invoice
  | InvoicePayment
  | PaymentIntent
  | Charge
  | Refund
  | PortalConfiguration
  | PortalSession
  | StripeEvent;

export type Kind = StripeObject['object'];
export type ObjectOf<Name extends Kind> = Extract<StripeObject, { object: Name }>;
