import type { Order, StripeAccount } from '../account.ts';
import type { FormParams } from '../form-params.ts';
import { matching, page, PAGING } from '../listing.ts';
import type { CheckoutSession, LineItem } from '../objects.ts';
import { invalidRequest } from '../refusal.ts';
import { route, type Call, type Route } from '../route.ts';
import { amountOf, nameOf, taxOn } from './invoices.ts';

const HALF_HOUR = 1_800;
const DAY = 86_400;

/** Accepted parameters. Some change only the look of the page, which the fake ignores. */
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
  route('POST', '/v1/checkout/sessions', FIELDS, createSession),
  route(
    'GET',
    '/v1/checkout/sessions',
    ['customer', 'payment_intent', 'status', 'subscription', ...PAGING],
    listSessions,
  ),
  route('GET', '/v1/checkout/sessions/:id', [], (account, { id }) => account.get('checkout.session', id)),
  route('GET', '/v1/checkout/sessions/:id/line_items', PAGING, (account, { id, params }) => {
    const { id: known } = account.get('checkout.session', id);
    return page(account.orders.get(known)!.lines, params, `/v1/checkout/sessions/${id}/line_items`);
  }),
  route('POST', '/v1/checkout/sessions/:id/expire', [], (account, { id }) => {
    const session = account.get('checkout.session', id);
    if (session.status !== 'open')
      throw invalidRequest(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    return expireSession(account, session);
  }),
];

/** Expires the sessions that are due. */
export function expireDue(account: StripeAccount): void {
  for (const session of account.all('checkout.session'))
    if (session.status === 'open' && session.expires_at <= account.now) expireSession(account, session);
}

function expireSession(account: StripeAccount, session: CheckoutSession): CheckoutSession {
  account.change(session, { status: 'expired', url: null });
  account.tell('checkout.session.expired', session);
  return session;
}

function listSessions(account: StripeAccount, { params }: Call) {
  const names = ['customer', 'payment_intent', 'status', 'subscription'] as const;
  return page(matching(account.all('checkout.session'), params, [...names]), params, '/v1/checkout/sessions');
}

function createSession(account: StripeAccount, { params }: Call): CheckoutSession {
  const mode = modeOf(params);
  const isTaxed = params.nested('automatic_tax').flag('enabled') ?? false;
  const lines = params
    .list('line_items')
    .map((line, index) => lineItem(account, line, { index, mode, isTaxed }));
  if (lines.length === 0)
    throw invalidRequest(`You must pass at least one line item in \`${mode}\` mode.`, {
      param: 'line_items',
    });
  const customer = params.text('customer') ?? null;
  if (customer !== null) account.liveCustomer(customer);
  const id = account.newId('cs_test');
  account.orders.set(id, orderOf(params, mode, lines));
  const sum = (name: 'amount_subtotal' | 'amount_tax' | 'amount_total') =>
    lines.reduce((total, line) => total + line[name], 0);
  return account.add<CheckoutSession>({
    id,
    object: 'checkout.session',
    amount_subtotal: sum('amount_subtotal'),
    amount_total: sum('amount_total'),
    automatic_tax: { enabled: isTaxed },
    cancel_url: params.text('cancel_url') ?? null,
    client_reference_id: params.text('client_reference_id') ?? null,
    created: account.now,
    currency: lines[0]!.currency,
    customer,
    customer_email: params.text('customer_email') ?? null,
    expires_at: expiryOf(account, params),
    invoice: null,
    invoice_creation:
      mode === 'payment' ? { enabled: params.nested('invoice_creation').flag('enabled') ?? false } : null,
    livemode: false,
    metadata: params.merged('metadata'),
    mode,
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: params.required('success_url'),
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: sum('amount_tax') },
    ui_mode: 'hosted_page',
    url: `${account.url}/checkout/${id}`,
  });
}

function modeOf(params: FormParams): 'payment' | 'subscription' {
  const mode = params.required('mode');
  if (mode === 'payment' || mode === 'subscription') return mode;
  throw invalidRequest('The fake has sessions for payments and subscriptions.', { param: 'mode' });
}

function orderOf(params: FormParams, mode: 'payment' | 'subscription', lines: LineItem[]): Order {
  const [own, other] =
    mode === 'payment'
      ? (['payment_intent', 'subscription'] as const)
      : (['subscription', 'payment_intent'] as const);
  if (params.has(`${other}_data`))
    throw invalidRequest(`You can not pass \`${other}_data\` in \`${mode}\` mode.`, {
      param: `${other}_data`,
    });
  const data = params.nested(`${own}_data`);
  return {
    lines,
    metadata: data.merged('metadata'),
    invoiceMetadata: params.nested('invoice_creation').nested('invoice_data').merged('metadata'),
    description: data.text('description') ?? null,
    trialDays: data.whole('trial_period_days') ?? 0,
  };
}

function lineItem(
  account: StripeAccount,
  params: FormParams,
  { index, mode, isTaxed }: { index: number; mode: string; isTaxed: boolean },
): LineItem {
  const price = account.get('price', params.required('price'), `line_items[${index}][price]`);
  if (!price.active)
    throw invalidRequest(`The price specified is inactive. This field only accepts active prices.`, {
      param: `line_items[${index}][price]`,
    });
  if (mode === 'payment' && price.recurring)
    throw invalidRequest(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    );
  if (mode === 'subscription' && !price.recurring)
    throw invalidRequest(
      'You must provide at least one recurring price in `subscription` mode when using prices.',
    );
  const quantity = params.whole('quantity') ?? 1;
  const subtotal = amountOf(price, quantity);
  const tax = taxOn(account, subtotal, isTaxed);
  return {
    id: account.newId('li'),
    object: 'item',
    amount_discount: 0,
    amount_subtotal: subtotal,
    amount_tax: tax,
    amount_total: subtotal + tax,
    currency: price.currency,
    description: nameOf(account, price),
    price,
    quantity,
  };
}

function expiryOf(account: StripeAccount, params: FormParams): number {
  const expiry = params.whole('expires_at') ?? account.now + DAY;
  // Tolerates clocks of two machines that differ by seconds.
  if (expiry < account.now + HALF_HOUR - 5)
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      { param: 'expires_at' },
    );
  if (expiry > account.now + DAY + 5)
    throw invalidRequest(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  return expiry;
}
