import type { StripeAccount } from './account.ts';
import { createList } from './stored-fields.ts';
import { createInvalidRequest } from './refusal.ts';

type Node = Record<string, unknown>;

/**
 * Replaces ids in a response of the fake by their objects, at paths such as `data.customer` and
 * `latest_invoice.payments`.
 */
export function expand(account: StripeAccount, result: object, paths: string[]): object {
  const copy = structuredClone(result) as Node;
  for (const path of paths) expandAt(account, copy, path.split('.'));
  return copy;
}

function expandAt(account: StripeAccount, node: Node, steps: string[]): void {
  const [name = '', ...rest] = steps;
  const value = node[name] ?? findIncludedList(account, node, name);
  if (value === undefined)
    throw createInvalidRequest(`This property cannot be expanded (${name}).`, { param: 'expand' });
  node[name] = typeof value === 'string' ? structuredClone(account.find(value) ?? value) : value;
  if (rest.length === 0) return;
  const below = node[name];
  for (const each of Array.isArray(below) ? below : [below]) if (isNode(each)) expandAt(account, each, rest);
}

/** Returns a list that an object of Stripe includes only if the request asks for it. */
function findIncludedList(account: StripeAccount, node: Node, name: string): unknown {
  const id = String(node['id']);
  switch (`${String(node['object'])}.${name}`) {
    case 'customer.tax_ids':
      return createList(
        account.list('tax_id').filter(({ customer }) => customer === id),
        `/v1/customers/${id}/tax_ids`,
      );
    case 'customer.subscriptions':
      return createList(
        account
          .list('subscription')
          .filter(({ customer, status }) => customer === id && status !== 'canceled'),
        '/v1/subscriptions',
      );
    case 'checkout.session.line_items':
      return createList(account.orders.get(id)?.lines ?? [], `/v1/checkout/sessions/${id}/line_items`);
    case 'invoice.payments':
      return createList(
        account.list('invoice_payment').filter(({ invoice }) => invoice === id),
        '/v1/invoice_payments',
      );
    case 'charge.refunds':
      return createList(
        account
          .list('refund')
          .filter(({ charge }) => charge === id)
          .toReversed(),
        '/v1/refunds',
      );
    default:
      return node[name];
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
