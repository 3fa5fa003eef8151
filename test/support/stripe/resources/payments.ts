import type { StripeAccount } from '../account.ts';
import { filterByParams, paginate, PAGING } from '../listing.ts';
import type { Charge, PaymentIntent, Refund } from '../payment-objects.ts';
import { createInvalidRequest } from '../refusal.ts';
import { createRoute, type Call, type Route } from '../route.ts';

export const paymentRoutes: Route[] = [
  createRoute('GET', '/v1/payment_intents', ['customer', ...PAGING], (account, { params }) =>
    paginate(
      filterByParams(account.list('payment_intent'), params, ['customer']),
      params,
      '/v1/payment_intents',
    ),
  ),
  createRoute('GET', '/v1/payment_intents/:id', [], (account, { id }) => account.get('payment_intent', id)),
  createRoute('GET', '/v1/charges', ['customer', 'payment_intent', ...PAGING], (account, { params }) =>
    paginate(
      filterByParams(account.list('charge'), params, ['customer', 'payment_intent']),
      params,
      '/v1/charges',
    ),
  ),
  createRoute('GET', '/v1/charges/:id', [], (account, { id }) => account.get('charge', id)),
  createRoute(
    'POST',
    '/v1/refunds',
    ['amount', 'charge', 'metadata', 'payment_intent', 'reason'],
    createRefund,
  ),
  createRoute('GET', '/v1/refunds', ['charge', 'payment_intent', ...PAGING], (account, { params }) =>
    paginate(
      filterByParams(account.list('refund'), params, ['charge', 'payment_intent']),
      params,
      '/v1/refunds',
    ),
  ),
  createRoute('GET', '/v1/refunds/:id', [], (account, { id }) => account.get('refund', id)),
];

export interface NewPayment {
  customer: string;
  amountCents: number;
  currency: string;
  metadata?: Record<string, string>;
  description?: string | null;
}

/** Creates a payment in progress, until it is settled or fails. */
export function beginPayment(account: StripeAccount, given: NewPayment): PaymentIntent {
  return account.add<PaymentIntent>(
    {
      id: account.createId('pi'),
      object: 'payment_intent',
      amount: given.amountCents,
      amount_received: 0,
      created: account.now,
      currency: given.currency,
      customer: given.customer,
      description: given.description ?? null,
      latest_charge: null,
      livemode: false,
      metadata: given.metadata ?? {},
      payment_method_types: ['card'],
      status: 'processing',
    },
    'payment_intent.created',
  );
}

/** Starts an attempt to pay with a payment method that takes days. */
export function delayPayment(account: StripeAccount, payment: PaymentIntent): void {
  const charge = addCharge(account, payment, 'pending');
  account.change(payment, { latest_charge: charge.id, status: 'processing' });
}

export function settlePayment(account: StripeAccount, payment: PaymentIntent): void {
  const charge = endCharge(account, payment, 'succeeded');
  account.change(payment, {
    amount_received: payment.amount,
    latest_charge: charge.id,
    status: 'succeeded',
  });
  account.emit('payment_intent.succeeded', payment);
}

export function failPayment(account: StripeAccount, payment: PaymentIntent): void {
  const charge = endCharge(account, payment, 'failed');
  account.change(payment, { latest_charge: charge.id, status: 'requires_payment_method' });
  account.emit('payment_intent.payment_failed', payment);
}

/** @throws StripeRefusal if the amount exceeds the rest of the charge */
export function refundCharge(
  account: StripeAccount,
  charge: Charge,
  { amountCents, reason = null, metadata = {} }: RefundDetails = {},
): Refund {
  const refundable = charge.amount - charge.amount_refunded;
  if (charge.refunded)
    throw createInvalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  const amount = amountCents ?? refundable;
  if (amount > refundable)
    throw createInvalidRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${refundable})`,
      {
        param: 'amount',
      },
    );
  const refund = account.add<Refund>({
    id: account.createId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: account.now,
    currency: charge.currency,
    metadata,
    payment_intent: charge.payment_intent,
    reason,
    receipt_number: null,
    status: 'succeeded',
  });
  const refunded = charge.amount_refunded + amount;
  account.change(
    charge,
    { amount_refunded: refunded, refunded: refunded === charge.amount },
    'charge.refunded',
  );
  account.emit('refund.created', refund);
  return refund;
}

interface RefundDetails {
  amountCents?: number | undefined;
  reason?: Refund['reason'];
  metadata?: Record<string, string>;
}

function createRefund(account: StripeAccount, { params }: Call): Refund {
  const paymentId = params.getText('payment_intent');
  const chargeId =
    typeof paymentId === 'string'
      ? account.get('payment_intent', paymentId, 'payment_intent').latest_charge
      : params.requireText('charge');
  const charge = account.get('charge', chargeId ?? '', 'charge');
  if (!charge.paid) throw createInvalidRequest(`Charge ${charge.id} is not paid, and cannot be refunded.`);
  return refundCharge(account, charge, {
    amountCents: params.getInteger('amount'),
    reason: params.getText('reason') ?? null,
    metadata: params.mergeMetadata('metadata'),
  });
}

/** Ends the payment's pending charge, or adds a charge that ends at once. */
function endCharge(account: StripeAccount, payment: PaymentIntent, status: 'succeeded' | 'failed'): Charge {
  const present = account.list('charge').find(({ id }) => id === payment.latest_charge);
  if (present?.status !== 'pending') return addCharge(account, payment, status);
  return account.change(present, buildChargeOutcome(payment, status), `charge.${status}`);
}

function buildChargeOutcome({ amount }: PaymentIntent, status: Charge['status']) {
  return {
    amount_captured: status === 'succeeded' ? amount : 0,
    captured: status !== 'failed',
    failure_code: status === 'failed' ? 'card_declined' : null,
    failure_message: status === 'failed' ? 'Your card was declined.' : null,
    paid: status === 'succeeded',
    status,
  };
}

function addCharge(account: StripeAccount, payment: PaymentIntent, status: Charge['status']): Charge {
  return account.add<Charge>(
    {
      id: account.createId('ch'),
      object: 'charge',
      amount: payment.amount,
      amount_refunded: 0,
      created: account.now,
      currency: payment.currency,
      customer: payment.customer,
      description: payment.description,
      disputed: false,
      livemode: false,
      metadata: payment.metadata,
      payment_intent: payment.id,
      refunded: false,
      ...buildChargeOutcome(payment, status),
    },
    `charge.${status}`,
  );
}
