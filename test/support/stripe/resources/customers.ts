import type { StripeAccount } from '../account.ts';
import type { FormParams } from '../form-params.ts';
import { filterByParams, paginate, PAGING } from '../listing.ts';
import type { Address, Customer } from '../objects.ts';
import { createRoute, type Call, type Route } from '../route.ts';
import { endSubscription } from './subscriptions.ts';

const FIELDS = [
  'address',
  'description',
  'email',
  'metadata',
  'name',
  'phone',
  'preferred_locales',
  'tax_exempt',
];

export const customerRoutes: Route[] = [
  createRoute('POST', '/v1/customers', FIELDS, (account, { params }) => createCustomer(account, params)),
  createRoute('GET', '/v1/customers', ['email', ...PAGING], listCustomers),
  createRoute('GET', '/v1/customers/:id', [], (account, { id }) => {
    const customer = account.get('customer', id);
    return customer.deleted ? { id, object: 'customer', deleted: true } : customer;
  }),
  createRoute('POST', '/v1/customers/:id', FIELDS, (account, { id, params }) => {
    const customer = account.getLiveCustomer(id, 'id');
    return account.change(customer, parseCustomerFields(params, customer), 'customer.updated');
  }),
  createRoute('DELETE', '/v1/customers/:id', [], deleteCustomer),
];

export function createCustomer(account: StripeAccount, params: FormParams): Customer {
  const number = account.list('customer').length + 1;
  const created: Customer = {
    id: account.createId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: account.now,
    currency: null,
    delinquent: false,
    description: null,
    email: null,
    invoice_prefix: number.toString(16).toUpperCase().padStart(8, 'A'),
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    tax_exempt: 'none',
  };
  return account.add({ ...created, ...parseCustomerFields(params, created) }, 'customer.created');
}

function listCustomers(account: StripeAccount, { params }: Call) {
  const live = account.list('customer').filter(({ deleted }) => !deleted);
  return paginate(filterByParams(live, params, ['email']), params, '/v1/customers');
}

function deleteCustomer(account: StripeAccount, { id }: Call) {
  const customer = account.getLiveCustomer(id, 'id');
  for (const subscription of account.list('subscription'))
    if (subscription.customer === id && subscription.status !== 'canceled')
      endSubscription(account, subscription.id);
  account.change(customer, { deleted: true });
  account.emit('customer.deleted', customer);
  return { id, object: 'customer', deleted: true };
}

function parseCustomerFields(params: FormParams, before: Customer): Partial<Customer> {
  const texts = (['description', 'email', 'name', 'phone'] as const).filter((name) => params.has(name));
  return {
    ...Object.fromEntries(texts.map((name) => [name, params.getText(name)])),
    ...(params.has('address') && { address: parseAddress(params.getNested('address')) }),
    ...(params.has('metadata') && { metadata: params.mergeMetadata('metadata', before.metadata) }),
    ...(params.has('preferred_locales') && { preferred_locales: params.getTexts('preferred_locales') }),
    ...(params.has('tax_exempt') && { tax_exempt: params.getText('tax_exempt') ?? 'none' }),
  };
}

function parseAddress(params: FormParams): Address | null {
  if (params.names.length === 0) return null;
  const part = (name: string) => params.getText(name) ?? null;
  return {
    city: part('city'),
    country: part('country'),
    line1: part('line1'),
    line2: part('line2'),
    postal_code: part('postal_code'),
    state: part('state'),
  };
}
