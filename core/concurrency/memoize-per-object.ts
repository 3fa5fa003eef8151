/**
 * Caches the result of a function for each object, for as long as the object exists. See
 * docs/patterns.md#cached-renderings.
 */
export function memoizePerObject<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const cache = new WeakMap<K, { value: T }>();
  return (key) => {
    const cached = cache.get(key);
    if (cached) return cached.value;
    const value = make(key);
    cache.set(key, { value });
    return value;
  };
}
