import type { StripeAccount } from './account.ts';
import { FormParams } from './form-params.ts';
import type { CheckoutSession, Subscription } from './objects.ts';
import type { Invoice, PaymentIntent } from './payment-objects.ts';
import { createCustomer } from './resources/customers.ts';
import {
  beginInvoicePayment,
  failInvoice,
  issueInvoice,
  issueSubscriptionInvoice,
  payInvoice,
} from './resources/invoices.ts';
import { beginPayment, delayPayment, failPayment, settlePayment } from './resources/payments.ts';
import { getOnlyItem, addMonth } from './resources/subscription-periods.ts';
import { addSubscription, endSubscription } from './resources/subscriptions.ts';

/**
 * Pays a Checkout session as a person does who presses "Pay".
 * @param isDelayed true for a payment method that takes days
 */
export function paySession(account: StripeAccount, id: string, isDelayed: boolean): CheckoutSession {
  const session = requireOpenSession(account, id);
  const customer = session.customer ?? createCustomer(account, FormParams.parse('')).id;
  account.change(session, { customer });
  if (session.mode === 'subscription') paySubscription(account, session, customer, isDelayed);
  else payOnce(account, session, customer, isDelayed);
  account.change(session, {
    status: 'complete',
    url: null,
    payment_status: isDelayed ? 'unpaid' : session.amount_total === 0 ? 'no_payment_required' : 'paid',
  });
  account.emit('checkout.session.completed', session);
  return session;
}

/** Declines the card in a Checkout session. The person may try another card. */
export function declineSession(account: StripeAccount, id: string): void {
  const session = requireOpenSession(account, id);
  failPayment(account, getSessionPayment(account, session, session.customer ?? ''));
}

/** Completes a delayed payment of a Checkout session, days later. */
export function settleSession(account: StripeAccount, id: string, isPaid: boolean): void {
  const session = account.get('checkout.session', id);
  if (session.status !== 'complete' || session.payment_status !== 'unpaid')
    throw new Error(`${id} waits for no payment.`);
  const payment = findPayment(account, session);
  const invoice = session.invoice === null ? null : account.get('invoice', session.invoice);
  if (isPaid) {
    if (invoice) payInvoice(account, invoice, payment);
    else {
      settlePayment(account, payment);
      issuePaymentInvoice(account, session, payment);
    }
    account.change(session, { payment_status: 'paid' });
  } else if (invoice) {
    failInvoice(account, invoice, payment);
    markPastDue(account, account.get('subscription', session.subscription ?? ''));
  } else failPayment(account, payment);
  account.emit(`checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, session);
}

/**
 * Begins the next period of a subscription: its invoice is paid, or fails and Stripe will retry; a canceled
 * subscription ends.
 */
export function renewSubscription(account: StripeAccount, id: string, isPaid: boolean): Invoice | null {
  const subscription = account.get('subscription', id);
  const item = getOnlyItem(subscription);
  if (subscription.cancel_at_period_end) {
    endSubscription(account, id);
    return null;
  }
  const next = {
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: addMonth(item.current_period_end),
  };
  const items = { ...subscription.items, data: [next] };
  const status = subscription.status === 'trialing' ? ('active' as const) : subscription.status;
  account.change(subscription, { items, status }, 'customer.subscription.updated');
  const invoice = issueSubscriptionInvoice(account, subscription, 'subscription_cycle');
  if (isPaid) payInvoice(account, invoice);
  else {
    failInvoice(account, invoice);
    markPastDue(account, subscription);
  }
  return invoice;
}

/** Pays an invoice whose earlier attempts failed. */
export function recoverInvoice(account: StripeAccount, id: string): void {
  const invoice = account.get('invoice', id);
  payInvoice(account, invoice);
  const subscriptionId = invoice.parent?.subscription_details?.subscription;
  if (typeof subscriptionId !== 'string') return;
  account.change(
    account.get('subscription', subscriptionId),
    { status: 'active' },
    'customer.subscription.updated',
  );
}

function requireOpenSession(account: StripeAccount, id: string): CheckoutSession {
  const session = account.get('checkout.session', id);
  if (session.status === 'open') return session;
  throw new Error(`${id} cannot be paid: its status is ${session.status}.`);
}

function paySubscription(
  account: StripeAccount,
  session: CheckoutSession,
  customer: string,
  isDelayed: boolean,
): void {
  const { lines, ...order } = account.orders.get(session.id)!;
  const [{ price, quantity } = lines[0]!] = lines;
  const isTaxed = session.automatic_tax.enabled;
  const subscription = addSubscription(account, { ...order, customer, price, quantity, isTaxed });
  const invoice = issueSubscriptionInvoice(account, subscription, 'subscription_create');
  account.change(session, {
    subscription: subscription.id,
    invoice: invoice.id,
    amount_total: invoice.total,
    amount_subtotal: invoice.subtotal,
  });
  if (isDelayed) delayPayment(account, beginInvoicePayment(account, invoice));
  else payInvoice(account, invoice);
}

function payOnce(
  account: StripeAccount,
  session: CheckoutSession,
  customer: string,
  isDelayed: boolean,
): void {
  const payment = getSessionPayment(account, session, customer);
  if (isDelayed) return delayPayment(account, payment);
  settlePayment(account, payment);
  issuePaymentInvoice(account, session, payment);
}

/** Returns the only payment of a Checkout session, which all attempts share. */
function getSessionPayment(
  account: StripeAccount,
  session: CheckoutSession,
  customer: string,
): PaymentIntent {
  const { payment_intent: present } = session;
  if (present !== null) return account.get('payment_intent', present);
  const { metadata, description } = account.orders.get(session.id)!;
  const payment = beginPayment(account, {
    customer,
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? 'usd',
    metadata,
    description,
  });
  if (session.mode === 'payment') account.change(session, { payment_intent: payment.id });
  return payment;
}

/** Issues the invoice of a single payment once it is paid, if `invoice_creation` is on. */
function issuePaymentInvoice(account: StripeAccount, session: CheckoutSession, payment: PaymentIntent): void {
  if (!session.invoice_creation?.enabled) return;
  const { lines, invoiceMetadata } = account.orders.get(session.id)!;
  const invoice = issueInvoice(account, {
    customer: session.customer ?? '',
    subscription: null,
    reason: 'manual',
    lines: lines.map(({ price, quantity, amount_subtotal, description }) => ({
      price,
      quantity,
      amountCents: amount_subtotal,
      description: description ?? '',
    })),
    isTaxed: session.automatic_tax.enabled,
    metadata: invoiceMetadata,
  });
  payInvoice(account, invoice, payment);
  account.change(session, { invoice: invoice.id });
}

function findPayment(account: StripeAccount, session: CheckoutSession): PaymentIntent {
  const ofInvoice = account.list('invoice_payment').findLast(({ invoice }) => invoice === session.invoice);
  return account.get('payment_intent', session.payment_intent ?? ofInvoice?.payment.payment_intent ?? '');
}

function markPastDue(account: StripeAccount, subscription: Subscription): void {
  account.change(subscription, { status: 'past_due' }, 'customer.subscription.updated');
}
