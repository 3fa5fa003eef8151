import type { StripeAccount } from '../account.ts';
import type { FormParams } from '../form-params.ts';
import { filterByParams, paginate, PAGING } from '../listing.ts';
import { createList } from '../stored-fields.ts';
import type { Price, Subscription, SubscriptionItem } from '../objects.ts';
import { createInvalidRequest, createResourceMissing } from '../refusal.ts';
import { createRoute, type Call, type Route } from '../route.ts';
import { invoiceProration } from './invoices.ts';
import { getOnlyItem, addMonth } from './subscription-periods.ts';

const ENDED = ['canceled', 'incomplete_expired'];

export const subscriptionRoutes: Route[] = [
  createRoute('GET', '/v1/subscriptions', ['customer', 'price', 'status', ...PAGING], listSubscriptions),
  createRoute('GET', '/v1/subscriptions/:id', [], (account, { id }) => account.get('subscription', id)),
  createRoute(
    'POST',
    '/v1/subscriptions/:id',
    [
      'cancel_at',
      'cancel_at_period_end',
      'cancellation_details',
      'items',
      'metadata',
      'payment_behavior',
      'proration_behavior',
    ],
    updateSubscription,
  ),
  createRoute(
    'DELETE',
    '/v1/subscriptions/:id',
    ['cancellation_details', 'invoice_now', 'prorate'],
    (account, { id }) => {
      if (ENDED.includes(account.get('subscription', id).status))
        throw createResourceMissing('subscription', id);
      return endSubscription(account, id);
    },
  ),
];

export interface NewSubscription {
  customer: string;
  price: Price;
  quantity?: number;
  metadata?: Record<string, string>;
  description?: string | null;
  trialDays?: number;
  isTaxed?: boolean;
}

export function addSubscription(account: StripeAccount, given: NewSubscription): Subscription {
  const { now } = account;
  const trialEnd = given.trialDays ? now + given.trialDays * 86_400 : null;
  const id = account.createId('sub');
  const item: SubscriptionItem = {
    id: account.createId('si'),
    object: 'subscription_item',
    created: now,
    current_period_start: now,
    current_period_end: trialEnd ?? addMonth(now),
    metadata: {},
    price: given.price,
    quantity: given.quantity ?? 1,
    subscription: id,
  };
  return account.add<Subscription>(
    {
      id,
      object: 'subscription',
      automatic_tax: { enabled: given.isTaxed ?? false },
      billing_cycle_anchor: trialEnd ?? now,
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: buildCancellationDetails(null),
      collection_method: 'charge_automatically',
      created: now,
      currency: given.price.currency,
      customer: given.customer,
      description: given.description ?? null,
      ended_at: null,
      items: createList([item], `/v1/subscription_items?subscription=${id}`),
      latest_invoice: null,
      livemode: false,
      metadata: given.metadata ?? {},
      schedule: null,
      start_date: now,
      status: trialEnd === null ? 'active' : 'trialing',
      trial_end: trialEnd,
      trial_start: trialEnd === null ? null : now,
    },
    'customer.subscription.created',
  );
}

/** Ends the subscription now, even within a paid period. */
export function endSubscription(account: StripeAccount, id: string): Subscription {
  const subscription = account.get('subscription', id);
  const ended = {
    status: 'canceled' as const,
    canceled_at: subscription.canceled_at ?? account.now,
    ended_at: account.now,
  };
  account.change(subscription, ended);
  account.emit('customer.subscription.deleted', subscription);
  return subscription;
}

/** Moves the subscription to another price now; `always_invoice` charges the difference at once. */
export function movePrice(
  account: StripeAccount,
  subscription: Subscription,
  target: { price: Price; quantity?: number; prorationBehavior: string },
): void {
  const before = getOnlyItem(subscription);
  const item = { ...before, price: target.price, quantity: target.quantity ?? before.quantity };
  const items = { ...subscription.items, data: [item] };
  account.change(subscription, { items }, 'customer.subscription.updated');
  if (target.prorationBehavior === 'always_invoice') invoiceProration(account, subscription, before);
}

function listSubscriptions(account: StripeAccount, { params }: Call) {
  const status = params.getText('status');
  const isAsked = (subscription: Subscription) =>
    status === 'all' ||
    (status === 'ended' && ENDED.includes(subscription.status)) ||
    (typeof status === 'string' ? subscription.status === status : subscription.status !== 'canceled');
  const found = account.list('subscription').filter(isAsked);
  const price = params.getText('price');
  const ofPrice = found.filter((each) => typeof price !== 'string' || getOnlyItem(each).price.id === price);
  return paginate(filterByParams(ofPrice, params, ['customer']), params, '/v1/subscriptions');
}

function updateSubscription(account: StripeAccount, { id, params }: Call): Subscription {
  const subscription = account.get('subscription', id);
  const isOnlyTold = params.names.every((name) => ['cancellation_details', 'metadata'].includes(name));
  if (ENDED.includes(subscription.status) && !isOnlyTold)
    throw createInvalidRequest(
      'A canceled subscription can only update its cancellation_details and metadata.',
    );
  const changes: Partial<Subscription> = {
    ...(params.has('metadata') && { metadata: params.mergeMetadata('metadata', subscription.metadata) }),
    ...buildCancellation(account, subscription, params.getFlag('cancel_at_period_end')),
    ...(params.has('cancel_at') && { cancel_at: params.getInteger('cancel_at') ?? null }),
  };
  if (Object.keys(changes).length > 0) account.change(subscription, changes, 'customer.subscription.updated');
  if (params.has('items')) moveItem(account, subscription, params);
  return subscription;
}

function buildCancellation(
  account: StripeAccount,
  subscription: Subscription,
  isAtEnd: boolean | undefined,
): Partial<Subscription> {
  if (isAtEnd === undefined || isAtEnd === subscription.cancel_at_period_end) return {};
  return {
    cancel_at_period_end: isAtEnd,
    cancel_at: isAtEnd ? getOnlyItem(subscription).current_period_end : null,
    canceled_at: isAtEnd ? account.now : null,
    cancellation_details: buildCancellationDetails(isAtEnd ? 'cancellation_requested' : null),
  };
}

function buildCancellationDetails(reason: 'cancellation_requested' | null) {
  return { comment: null, feedback: null, feedback_option: null, reason };
}

function moveItem(account: StripeAccount, subscription: Subscription, params: FormParams): void {
  const [given] = params.getList('items');
  const itemId = given?.getText('id');
  if (!given || itemId !== getOnlyItem(subscription).id)
    throw createInvalidRequest('The fake keeps subscriptions of one item: name its id.', {
      param: 'items[0][id]',
    });
  movePrice(account, subscription, {
    price: account.get('price', given.requireText('price'), 'items[0][price]'),
    ...(given.has('quantity') && { quantity: given.getInteger('quantity')! }),
    prorationBehavior: params.getText('proration_behavior') ?? 'create_prorations',
  });
}
