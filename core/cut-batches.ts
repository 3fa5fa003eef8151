interface BatchBounds<T> {
  maxItems: number;
  /**
   * Maximum total weight of a batch's items; unlimited by default. An item with a greater weight gets its own
   * batch.
   */
  maxWeight?: number;
  weigh?: (item: T) => number;
}

/** Splits a list into batches, in the order of the list. */
export function* cutBatches<T>(
  items: readonly T[],
  { maxItems, maxWeight = Infinity, weigh = () => 0 }: BatchBounds<T>,
): Generator<T[]> {
  let batch: T[] = [];
  let weight = 0;
  for (const item of items) {
    const itemWeight = weigh(item);
    if (batch.length === maxItems || (batch.length > 0 && weight + itemWeight > maxWeight)) {
      yield batch;
      batch = [];
      weight = 0;
    }
    batch.push(item);
    weight += itemWeight;
  }
  if (batch.length > 0) yield batch;
}
