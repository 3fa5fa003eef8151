import type { StripeAccount } from '../account.ts';
import { filterByParams, paginate, PAGING } from '../listing.ts';
import type { Price } from '../objects.ts';
import { createRoute, type Route } from '../route.ts';

export const productRoutes: Route[] = [
  createRoute(
    'GET',
    '/v1/prices',
    ['active', 'product', 'type', 'currency', ...PAGING],
    (account, { params }) =>
      paginate(
        filterByParams(account.list('price'), params, ['active', 'product', 'type', 'currency']),
        params,
        '/v1/prices',
      ),
  ),
  createRoute('GET', '/v1/prices/:id', [], (account, { id }) => account.get('price', id)),
  createRoute('GET', '/v1/products', ['active', ...PAGING], (account, { params }) =>
    paginate(filterByParams(account.list('product'), params, ['active']), params, '/v1/products'),
  ),
  createRoute('GET', '/v1/products/:id', [], (account, { id }) => account.get('product', id)),
];

export interface PriceSetup {
  name: string;
  amountCents: number;
  isMonthly: boolean;
  currency: string;
}

/** Products and prices of the fake's account, as an operator would set them up in Stripe's dashboard. */
export const PRICES = {
  starter: { name: 'Starter', amountCents: 2_900, isMonthly: true, currency: 'usd' },
  pro: { name: 'Pro', amountCents: 9_900, isMonthly: true, currency: 'usd' },
  business: { name: 'Business', amountCents: 39_900, isMonthly: true, currency: 'usd' },
  topup: { name: '1,000 messages', amountCents: 1_500, isMonthly: false, currency: 'usd' },
} satisfies Record<string, PriceSetup>;

export type PriceName = keyof typeof PRICES;

/** Adds a product with one price. The ids of both contain its name: prod_… and price_…. */
export function addPrice(account: StripeAccount, id: string, setup: PriceSetup): Price {
  const base = { active: true, created: account.now, livemode: false, metadata: {} };
  const product = account.add({
    ...base,
    id: `prod_${id}`,
    object: 'product',
    description: null,
    name: setup.name,
    updated: account.now,
  });
  return account.add<Price>({
    ...base,
    id: `price_${id}`,
    object: 'price',
    billing_scheme: 'per_unit',
    currency: setup.currency,
    lookup_key: null,
    nickname: null,
    product: product.id,
    recurring: setup.isMonthly ? { interval: 'month', interval_count: 1, usage_type: 'licensed' } : null,
    type: setup.isMonthly ? 'recurring' : 'one_time',
    unit_amount: setup.amountCents,
  });
}
