type Merged<T extends readonly object[]> = T extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? First & Merged<Rest>
  : unknown;

/**
 * Merges several objects that have no key in common into one object.
 * @throws Error that names the key if two objects have the same key; object spread would silently use the last
 *   value
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
