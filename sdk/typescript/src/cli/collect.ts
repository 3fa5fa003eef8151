/** Collects the items of an asynchronous list in an array. */
export async function collect<T>(list: AsyncIterable<T>, max = Infinity): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) if (items.push(item) >= max) break;
  return items;
}
