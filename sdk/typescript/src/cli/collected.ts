/** Collects the items of a list. */
export async function collected<T>(list: AsyncIterable<T>, most = Infinity): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) if (items.push(item) >= most) break;
  return items;
}
