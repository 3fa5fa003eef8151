import type Stripe from 'stripe';
import type { StoredFields, List } from './stored-fields.ts';

export type InvoiceLine = StoredFields<
  Stripe.InvoiceLineItem,
  | 'id'
  | 'object'
  | 'amount'
  | 'currency'
  | 'description'
  | 'invoice'
  | 'livemode'
  | 'metadata'
  | 'parent'
  | 'period'
  | 'quantity'
  | 'subtotal'
> & {
  pricing: {
    type: 'price_details';
    unit_amount_decimal: string;
    price_details: { price: string; product: string };
  };
};

export type Invoice = StoredFields<
  Stripe.Invoice,
  | 'id'
  | 'object'
  | 'account_name'
  | 'amount_due'
  | 'amount_paid'
  | 'amount_remaining'
  | 'attempt_count'
  | 'attempted'
  | 'billing_reason'
  | 'collection_method'
  | 'created'
  | 'currency'
  | 'customer'
  | 'customer_address'
  | 'customer_email'
  | 'customer_name'
  | 'customer_tax_ids'
  | 'description'
  | 'hosted_invoice_url'
  | 'invoice_pdf'
  | 'livemode'
  | 'metadata'
  | 'next_payment_attempt'
  | 'number'
  | 'period_end'
  | 'period_start'
  | 'status'
  | 'status_transitions'
  | 'subtotal'
  | 'total'
  | 'total_excluding_tax'
  | 'parent'
> & { lines: List<InvoiceLine>; total_taxes: { amount: number; tax_behavior: 'exclusive' }[] };

export type InvoicePayment = StoredFields<
  Stripe.InvoicePayment,
  | 'id'
  | 'object'
  | 'amount_paid'
  | 'amount_requested'
  | 'created'
  | 'currency'
  | 'invoice'
  | 'is_default'
  | 'livemode'
  | 'status'
> & { payment: { type: 'payment_intent'; payment_intent: string } };

export type PaymentIntent = StoredFields<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_received'
  | 'created'
  | 'currency'
  | 'customer'
  | 'description'
  | 'latest_charge'
  | 'livemode'
  | 'metadata'
  | 'payment_method_types'
  | 'status'
>;

export type Charge = StoredFields<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_captured'
  | 'amount_refunded'
  | 'captured'
  | 'created'
  | 'currency'
  | 'customer'
  | 'description'
  | 'disputed'
  | 'failure_code'
  | 'failure_message'
  | 'livemode'
  | 'metadata'
  | 'paid'
  | 'payment_intent'
  | 'refunded'
  | 'status'
>;

export type Refund = StoredFields<
  Stripe.Refund,
  | 'id'
  | 'object'
  | 'amount'
  | 'charge'
  | 'created'
  | 'currency'
  | 'metadata'
  | 'payment_intent'
  | 'reason'
  | 'receipt_number'
  | 'status'
>;
