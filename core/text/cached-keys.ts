/**
 * Minimum number of keys of an object for which its list of keys is cached. Listing keys takes linear time,
 * and a flow may read a value thousands of times.
 */
const LARGE = 100;
const keysByObject = new WeakMap<object, readonly string[]>();

/** Returns the own keys of an immutable value; caches them if there are many. */
export function listCachedKeys(value: object): readonly string[] {
  const cached = keysByObject.get(value);
  if (cached) return cached;
  const keys = Object.keys(value);
  if (keys.length > LARGE) keysByObject.set(value, keys);
  return keys;
}
