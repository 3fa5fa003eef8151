import type { StripeAccount } from './account.ts';
import { listOf } from './kept.ts';
import { invalidRequest } from './refusal.ts';

type Node = Record<string, unknown>;

/** Replaces ids by their objects, at paths such as `data.customer` and `latest_invoice.payments`. */
export function expand(account: StripeAccount, result: object, paths: string[]): object {
  const copy = structuredClone(result) as Node;
  for (const path of paths) expandAt(account, copy, path.split('.'));
  return copy;
}

function expandAt(account: StripeAccount, node: Node, steps: string[]): void {
  const [name = '', ...rest] = steps;
  const value = node[name] ?? included(account, node, name);
  if (value === undefined)
    throw invalidRequest(`This property cannot be expanded (${name}).`, { param: 'expand' });
  node[name] = typeof value === 'string' ? structuredClone(account.find(value) ?? value) : value;
  if (rest.length === 0) return;
  const below = node[name];
  for (const each of Array.isArray(below) ? below : [below]) if (isNode(each)) expandAt(account, each, rest);
}

/** Returns the lists that an object has only on request. */
function included(account: StripeAccount, node: Node, name: string): unknown {
  const id = String(node['id']);
  switch (`${String(node['object'])}.${name}`) {
    case 'customer.tax_ids':
      return listOf(
        account.all('tax_id').filter(({ customer }) => customer === id),
        `/v1/customers/${id}/tax_ids`,
      );
    case 'customer.subscriptions':
      return listOf(
        account
          .all('subscription')
          .filter(({ customer, status }) => customer === id && status !== 'canceled'),
        '/v1/subscriptions',
      );
    case 'checkout.session.line_items':
      return listOf(account.orders.get(id)?.lines ?? [], `/v1/checkout/sessions/${id}/line_items`);
    case 'invoice.payments':
      return listOf(
        account.all('invoice_payment').filter(({ invoice }) => invoice === id),
        '/v1/invoice_payments',
      );
    case 'charge.refunds':
      return listOf(
        account
          .all('refund')
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
