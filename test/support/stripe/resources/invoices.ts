import type { StripeAccount } from '../account.ts';
import { filterByParams, paginate, PAGING } from '../listing.ts';
import { createList } from '../stored-fields.ts';
import type { Price, Subscription, SubscriptionItem } from '../objects.ts';
import type { Invoice, InvoiceLine, InvoicePayment, PaymentIntent } from '../payment-objects.ts';
import { createRoute, type Call, type Route } from '../route.ts';
import { beginPayment, failPayment, settlePayment } from './payments.ts';
import { getOnlyItem } from './subscription-periods.ts';
import { listTaxIds } from './tax-ids.ts';

export const invoiceRoutes: Route[] = [
  createRoute('GET', '/v1/invoices', ['customer', 'status', 'subscription', ...PAGING], listInvoices),
  createRoute('GET', '/v1/invoices/:id', [], (account, { id }) => account.get('invoice', id)),
  createRoute(
    'GET',
    '/v1/invoice_payments',
    ['invoice', 'payment', 'status', ...PAGING],
    listInvoicePayments,
  ),
];

interface NewLine {
  price: Price;
  quantity: number;
  amountCents: number;
  description: string;
}

export interface NewInvoice {
  customer: string;
  subscription: Subscription | null;
  reason: Invoice['billing_reason'];
  lines: NewLine[];
  isTaxed: boolean;
  metadata?: Record<string, string>;
}

/** Issues an unpaid invoice as Stripe does: created as a draft, then finalized. */
export function issueInvoice(account: StripeAccount, given: NewInvoice): Invoice {
  const invoice = account.add(createDraftInvoice(account, given), 'invoice.created');
  const customer = account.get('customer', given.customer);
  const sequence = customer.next_invoice_sequence ?? 1;
  account.change(customer, { next_invoice_sequence: sequence + 1 });
  const page = `${account.url}/invoice/${invoice.id}`;
  account.change(invoice, {
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    status: 'open',
    status_transitions: { ...invoice.status_transitions, finalized_at: account.now },
  });
  account.emit('invoice.finalized', invoice);
  if (given.subscription) account.change(given.subscription, { latest_invoice: invoice.id });
  return invoice;
}

export function issueSubscriptionInvoice(
  account: StripeAccount,
  subscription: Subscription,
  reason: Invoice['billing_reason'],
): Invoice {
  const { price, quantity } = getOnlyItem(subscription);
  const isFree = subscription.status === 'trialing';
  return issueInvoice(account, {
    customer: subscription.customer,
    subscription,
    reason,
    lines: [
      {
        price,
        quantity,
        amountCents: isFree ? 0 : computeAmount(price, quantity),
        description: `${quantity} × ${getProductName(account, price)}`,
      },
    ],
    isTaxed: subscription.automatic_tax.enabled,
  });
}

/** Issues an invoice for a change of a subscription's price in the rest of the period, and pays it at once. */
export function invoiceProration(
  account: StripeAccount,
  subscription: Subscription,
  before: SubscriptionItem,
): void {
  const after = getOnlyItem(subscription);
  const length = after.current_period_end - after.current_period_start;
  const remainingShare = Math.max(0, after.current_period_end - account.now) / length;
  const line = ({ price, quantity }: SubscriptionItem, sign: 1 | -1): NewLine => ({
    price,
    quantity,
    amountCents: sign * Math.round(computeAmount(price, quantity) * remainingShare),
    description: `${sign === 1 ? 'Remaining' : 'Unused'} time on ${getProductName(account, price)}`,
  });
  const invoice = issueInvoice(account, {
    customer: subscription.customer,
    subscription,
    reason: 'subscription_update',
    lines: [line(before, -1), line(after, 1)],
    isTaxed: subscription.automatic_tax.enabled,
  });
  payInvoice(account, invoice);
}

/** @param payment payment that settles the invoice, if it exists already */
export function payInvoice(account: StripeAccount, invoice: Invoice, payment?: PaymentIntent): void {
  if (invoice.amount_due > 0) {
    const paidBy = payment ?? beginInvoicePayment(account, invoice);
    if (paidBy.status !== 'succeeded') settlePayment(account, paidBy);
    linkPayment(account, invoice, paidBy, 'paid');
  }
  account.change(invoice, {
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: account.now },
  });
  account.emit('invoice.paid', invoice);
  account.emit('invoice.payment_succeeded', invoice);
}

/** Fails an attempt to pay the invoice; Stripe retries after three days. */
export function failInvoice(account: StripeAccount, invoice: Invoice, payment?: PaymentIntent): void {
  const tried = payment ?? beginInvoicePayment(account, invoice);
  failPayment(account, tried);
  linkPayment(account, invoice, tried, 'open');
  account.change(invoice, {
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: account.now + 3 * 86_400,
  });
  account.emit('invoice.payment_failed', invoice);
}

export function beginInvoicePayment(account: StripeAccount, invoice: Invoice): PaymentIntent {
  const isFirst = invoice.billing_reason === 'subscription_create';
  const payment = beginPayment(account, {
    customer: invoice.customer ?? '',
    amountCents: invoice.amount_due,
    currency: invoice.currency,
    description: isFirst ? 'Subscription creation' : 'Subscription update',
  });
  linkPayment(account, invoice, payment, 'open');
  return payment;
}

export function computeAmount(price: Price, quantity: number): number {
  return (price.unit_amount ?? 0) * quantity;
}

export function getProductName(account: StripeAccount, price: Price): string {
  return account.get('product', price.product).name;
}

export function computeTax(account: StripeAccount, subtotal: number, isTaxed: boolean): number {
  return isTaxed ? Math.round((subtotal * account.taxPercent) / 100) : 0;
}

function linkPayment(account: StripeAccount, invoice: Invoice, payment: PaymentIntent, status: string): void {
  const known = account
    .list('invoice_payment')
    .find((each) => each.invoice === invoice.id && each.payment.payment_intent === payment.id);
  const link: InvoicePayment = known ?? {
    id: account.createId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: account.now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: payment.id },
    status,
  };
  account.add({ ...link, status, amount_paid: status === 'paid' ? invoice.amount_due : null });
}

function createDraftInvoice(account: StripeAccount, given: NewInvoice): Invoice {
  const id = account.createId('in');
  const customer = account.get('customer', given.customer);
  const subtotal = given.lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const tax = computeTax(account, subtotal, given.isTaxed);
  const due = Math.max(0, subtotal + tax);
  const lines = given.lines.map((line) => buildInvoiceLine(account, id, line, given.subscription));
  return {
    id,
    object: 'invoice',
    account_name: 'Parley',
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    attempt_count: 0,
    attempted: false,
    billing_reason: given.reason,
    collection_method: 'charge_automatically',
    created: account.now,
    currency: given.lines[0]!.price.currency,
    customer: customer.id,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_tax_ids: listTaxIds(account, customer.id).map(({ type, value }) => ({ type, value })),
    description: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: createList(lines, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: given.metadata ?? {},
    next_payment_attempt: null,
    number: null,
    parent: buildInvoiceParent(given.subscription),
    period_end: account.now,
    period_start: account.now,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    total: subtotal + tax,
    total_excluding_tax: subtotal,
    total_taxes: tax === 0 ? [] : [{ amount: tax, tax_behavior: 'exclusive' }],
  };
}

function buildInvoiceParent(subscription: Subscription | null): Invoice['parent'] {
  if (!subscription) return null;
  return {
    quote_details: null,
    subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
    type: 'subscription_details',
  };
}

function buildInvoiceLine(
  account: StripeAccount,
  invoice: string,
  { price, quantity, amountCents, description }: NewLine,
  subscription: Subscription | null,
): InvoiceLine {
  const item = subscription && getOnlyItem(subscription);
  return {
    id: account.createId('il'),
    object: 'line_item',
    amount: amountCents,
    currency: price.currency,
    description,
    invoice,
    livemode: false,
    metadata: subscription?.metadata ?? {},
    parent: null,
    period: {
      start: item?.current_period_start ?? account.now,
      end: item?.current_period_end ?? account.now,
    },
    pricing: {
      type: 'price_details',
      unit_amount_decimal: String(price.unit_amount),
      price_details: { price: price.id, product: price.product },
    },
    quantity,
    subtotal: amountCents,
  };
}

function listInvoices(account: StripeAccount, { params }: Call) {
  const subscription = params.getText('subscription');
  const found = account
    .list('invoice')
    .filter(
      ({ parent }) =>
        typeof subscription !== 'string' || parent?.subscription_details?.subscription === subscription,
    );
  return paginate(filterByParams(found, params, ['customer', 'status']), params, '/v1/invoices');
}

function listInvoicePayments(account: StripeAccount, { params }: Call) {
  const payment = params.getNested('payment').getText('payment_intent');
  const found = account
    .list('invoice_payment')
    .filter((each) => typeof payment !== 'string' || each.payment.payment_intent === payment);
  return paginate(filterByParams(found, params, ['invoice', 'status']), params, '/v1/invoice_payments');
}
