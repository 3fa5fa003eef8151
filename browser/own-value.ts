/**
 * Returns an object's own value for an untrusted key. Undefined for inherited keys, such as `constructor` and
 * `__proto__`.
 */
export function getOwn<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
