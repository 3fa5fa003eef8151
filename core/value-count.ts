/** Counts the values in an object or list, at any depth. Stops counting above `most`. */
export function countValues(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const key in value) {
    count += 1 + countValues((value as Record<string, unknown>)[key], most - count - 1);
    if (count > most) break;
  }
  return count;
}

/** Copies an object up to its first `most` values, counted at any depth. */
export function cutValues(object: object, most: number): object {
  let left = most;
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const kept: [string, unknown][] = [];
    for (const key in value) {
      if (left === 0) break;
      left -= 1;
      kept.push([key, copy((value as Record<string, unknown>)[key])]);
    }
    return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
  };
  return copy(object) as object;
}
