/** The fields of a Stripe object that the fake stores, with references as ids. */
export type StoredFields<T, Name extends keyof T> = { [Key in Name]: StoredValue<T[Key]> };
type StoredValue<Value> =
  Extract<Value, string> extends never ? Value : Extract<Value, string | null | undefined>;

export interface List<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  url: string;
}

export function createList<Item>(data: Item[], url: string, hasMore = false): List<Item> {
  return { object: 'list', data, has_more: hasMore, url };
}
