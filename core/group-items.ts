/** Groups items by key, in the order in which the keys first occur. */
export function groupItems<Item>(items: readonly Item[], getKey: (item: Item) => string): [string, Item[]][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(getKey(item));
    if (group) group.push(item);
    else groups.set(getKey(item), [item]);
  }
  return [...groups];
}
