/** Counts the values in an object or list, at any depth. Stops counting above `max`. */
export function countValues(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const key in value) {
    count += 1 + countValues((value as Record<string, unknown>)[key], max - count - 1);
    if (count > max) break;
  }
  return count;
}

/** Copies an object up to its first `max` values, counted at any depth. */
export function cutValues(object: object, max: number): object {
  let remaining = max;
  const copyValue = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const entries: [string, unknown][] = [];
    for (const key in value) {
      if (remaining === 0) break;
      remaining -= 1;
      entries.push([key, copyValue((value as Record<string, unknown>)[key])]);
    }
    return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  };
  return copyValue(object) as object;
}
