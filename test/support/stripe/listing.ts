import type { FormParams } from './form-params.ts';
import { createList, type List } from './stored-fields.ts';
import type { StripeObject } from './objects.ts';
import { createResourceMissing } from './refusal.ts';

/** Parameters that select a page of a list, which `paginate` reads. */
export const PAGING = ['limit', 'starting_after', 'ending_before', 'created'];

/** Returns one page of a list, newest first, like Stripe's lists. */
export function paginate<Item extends StripeObject>(
  oldestFirst: Item[],
  params: FormParams,
  url: string,
): List<Item> {
  const limit = params.getInteger('limit') ?? 10;
  const all = oldestFirst.toReversed().filter((item) => isWithin(item, params));
  const after = params.getText('starting_after');
  const before = params.getText('ending_before');
  const start = typeof after === 'string' ? findPosition(all, after, 'starting_after') + 1 : 0;
  const end = typeof before === 'string' ? findPosition(all, before, 'ending_before') : all.length;
  const rest = all.slice(start, end);
  const shown = typeof before === 'string' ? rest.slice(-limit) : rest.slice(0, limit);
  return createList(shown, url, rest.length > shown.length);
}

function isWithin(item: StripeObject, params: FormParams): boolean {
  if (!('created' in item)) return true;
  const range = params.getNested('created');
  return (
    item.created >= (range.getInteger('gte') ?? -Infinity) &&
    item.created > (range.getInteger('gt') ?? -Infinity) &&
    item.created <= (range.getInteger('lte') ?? Infinity) &&
    item.created < (range.getInteger('lt') ?? Infinity)
  );
}

function findPosition(items: StripeObject[], id: string, param: string): number {
  const place = items.findIndex((item) => item.id === id);
  if (place === -1) throw createResourceMissing('object', id, param);
  return place;
}

/** Returns the items whose fields equal the request's parameters. */
export function filterByParams<Item extends StripeObject, Name extends keyof Item & string>(
  items: Item[],
  params: FormParams,
  names: Name[],
): Item[] {
  const filters = names.filter((name) => params.has(name));
  return items.filter((item) => filters.every((name) => String(item[name]) === params.getText(name)));
}
