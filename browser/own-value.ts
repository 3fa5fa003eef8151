/**
 * Returns the value that an object itself has for a key from outside. Undefined for other keys, also for
 * `constructor` and `__proto__`, which each object inherits.
 */
export function getOwn<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
