import type { Order, StripeAccount } from '../account.ts';
import type { FormParams } from '../form-params.ts';
import { filterByParams, paginate, PAGING } from '../listing.ts';
import type { CheckoutSession, LineItem } from '../objects.ts';
import { createInvalidRequest } from '../refusal.ts';
import { createRoute, type Call, type Route } from '../route.ts';
import { computeAmount, getProductName, computeTax } from './invoices.ts';

const HALF_HOUR = 1_800;
const DAY = 86_400;

/**
 * Parameters that the fake accepts for Checkout sessions. Some change only the look of the page, which the
 * fake ignores.
 */
const FIELDS = [
  'adaptive_pricing',
  'allow_promotion_codes',
  'automatic_tax',
  'billing_address_collection',
  'cancel_url',
  'client_reference_id',
  'customer',
  'customer_email',
  'customer_update',
  'expires_at',
  'invoice_creation',
  'line_items',
  'locale',
  'metadata',
  'mode',
  'payment_intent_data',
  'payment_method_types',
  'saved_payment_method_options',
  'submit_type',
  'subscription_data',
  'success_url',
  'tax_id_collection',
];

export const checkoutRoutes: Route[] = [
  createRoute('POST', '/v1/checkout/sessions', FIELDS, createSession),
  createRoute(
    'GET',
    '/v1/checkout/sessions',
    ['customer', 'payment_intent', 'status', 'subscription', ...PAGING],
    listSessions,
  ),
  createRoute('GET', '/v1/checkout/sessions/:id', [], (account, { id }) =>
    account.get('checkout.session', id),
  ),
  createRoute('GET', '/v1/checkout/sessions/:id/line_items', PAGING, (account, { id, params }) => {
    const { id: known } = account.get('checkout.session', id);
    return paginate(account.orders.get(known)!.lines, params, `/v1/checkout/sessions/${id}/line_items`);
  }),
  createRoute('POST', '/v1/checkout/sessions/:id/expire', [], (account, { id }) => {
    const session = account.get('checkout.session', id);
    if (session.status !== 'open')
      throw createInvalidRequest(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    return expireSession(account, session);
  }),
];

/** Expires the Checkout sessions that are due. */
export function expireDue(account: StripeAccount): void {
  for (const session of account.list('checkout.session'))
    if (session.status === 'open' && session.expires_at <= account.now) expireSession(account, session);
}

function expireSession(account: StripeAccount, session: CheckoutSession): CheckoutSession {
  account.change(session, { status: 'expired', url: null });
  account.emit('checkout.session.expired', session);
  return session;
}

function listSessions(account: StripeAccount, { params }: Call) {
  const names = ['customer', 'payment_intent', 'status', 'subscription'] as const;
  return paginate(
    filterByParams(account.list('checkout.session'), params, [...names]),
    params,
    '/v1/checkout/sessions',
  );
}

function createSession(account: StripeAccount, { params }: Call): CheckoutSession {
  const mode = parseMode(params);
  const isTaxed = params.getNested('automatic_tax').getFlag('enabled') ?? false;
  const lines = params
    .getList('line_items')
    .map((line, index) => buildLineItem(account, line, { index, mode, isTaxed }));
  if (lines.length === 0)
    throw createInvalidRequest(`You must pass at least one line item in \`${mode}\` mode.`, {
      param: 'line_items',
    });
  const customer = params.getText('customer') ?? null;
  if (customer !== null) account.getLiveCustomer(customer);
  const id = account.createId('cs_test');
  account.orders.set(id, parseOrder(params, mode, lines));
  const sum = (name: 'amount_subtotal' | 'amount_tax' | 'amount_total') =>
    lines.reduce((total, line) => total + line[name], 0);
  return account.add<CheckoutSession>({
    id,
    object: 'checkout.session',
    amount_subtotal: sum('amount_subtotal'),
    amount_total: sum('amount_total'),
    automatic_tax: { enabled: isTaxed },
    cancel_url: params.getText('cancel_url') ?? null,
    client_reference_id: params.getText('client_reference_id') ?? null,
    created: account.now,
    currency: lines[0]!.currency,
    customer,
    customer_email: params.getText('customer_email') ?? null,
    expires_at: parseExpiry(account, params),
    invoice: null,
    invoice_creation:
      mode === 'payment'
        ? { enabled: params.getNested('invoice_creation').getFlag('enabled') ?? false }
        : null,
    livemode: false,
    metadata: params.mergeMetadata('metadata'),
    mode,
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: params.requireText('success_url'),
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: sum('amount_tax') },
    ui_mode: 'hosted_page',
    url: `${account.url}/checkout/${id}`,
  });
}

function parseMode(params: FormParams): 'payment' | 'subscription' {
  const mode = params.requireText('mode');
  if (mode === 'payment' || mode === 'subscription') return mode;
  throw createInvalidRequest('The fake has sessions for payments and subscriptions.', { param: 'mode' });
}

function parseOrder(params: FormParams, mode: 'payment' | 'subscription', lines: LineItem[]): Order {
  const [own, other] =
    mode === 'payment'
      ? (['payment_intent', 'subscription'] as const)
      : (['subscription', 'payment_intent'] as const);
  if (params.has(`${other}_data`))
    throw createInvalidRequest(`You can not pass \`${other}_data\` in \`${mode}\` mode.`, {
      param: `${other}_data`,
    });
  const data = params.getNested(`${own}_data`);
  return {
    lines,
    metadata: data.mergeMetadata('metadata'),
    invoiceMetadata: params.getNested('invoice_creation').getNested('invoice_data').mergeMetadata('metadata'),
    description: data.getText('description') ?? null,
    trialDays: data.getInteger('trial_period_days') ?? 0,
  };
}

function buildLineItem(
  account: StripeAccount,
  params: FormParams,
  { index, mode, isTaxed }: { index: number; mode: string; isTaxed: boolean },
): LineItem {
  const price = account.get('price', params.requireText('price'), `line_items[${index}][price]`);
  if (!price.active)
    throw createInvalidRequest(`The price specified is inactive. This field only accepts active prices.`, {
      param: `line_items[${index}][price]`,
    });
  if (mode === 'payment' && price.recurring)
    throw createInvalidRequest(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    );
  if (mode === 'subscription' && !price.recurring)
    throw createInvalidRequest(
      'You must provide at least one recurring price in `subscription` mode when using prices.',
    );
  const quantity = params.getInteger('quantity') ?? 1;
  const subtotal = computeAmount(price, quantity);
  const tax = computeTax(account, subtotal, isTaxed);
  return {
    id: account.createId('li'),
    object: 'item',
    amount_discount: 0,
    amount_subtotal: subtotal,
    amount_tax: tax,
    amount_total: subtotal + tax,
    currency: price.currency,
    description: getProductName(account, price),
    price,
    quantity,
  };
}

function parseExpiry(account: StripeAccount, params: FormParams): number {
  const expiry = params.getInteger('expires_at') ?? account.now + DAY;
  // Allow a few seconds more or less, by which the clocks of two machines may differ.
  if (expiry < account.now + HALF_HOUR - 5)
    throw createInvalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      { param: 'expires_at' },
    );
  if (expiry > account.now + DAY + 5)
    throw createInvalidRequest(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  return expiry;
}
