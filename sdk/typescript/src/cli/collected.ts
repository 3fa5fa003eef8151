/** The items of a list, or as many as are wanted. */
export async function collected<T>(list: AsyncIterable<T>, most = Infinity): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) if (items.push(item) >= most) break;
  return items;
}
