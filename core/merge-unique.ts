type Merged<T extends readonly object[]> = T extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? First & Merged<Rest>
  : unknown;

/**
 * Merges objects with distinct keys.
 * @throws Error that names a key of two objects; in a spread, the last one would win silently
 */
export function mergeUnique<const T extends readonly object[]>(...parts: T): Merged<T> {
  const merged: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      if (Object.hasOwn(merged, name)) throw new Error(`Two parts are called ${name}; rename one.`);
      merged[name] = value;
    }
  }
  return merged as Merged<T>;
}
