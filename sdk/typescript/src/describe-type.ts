/** Recognizes promises of any library, for errors about a call that was not awaited. */
export function isPromise(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/**
 * Refuses a promise in place of a value, such as `request.text()` without `await`.
 * @throws an error of the class `ErrorClass`
 */
export function refusePromise(
  name: string,
  value: unknown,
  ErrorClass: new (message: string) => Error,
): void {
  if (isPromise(value)) throw new ErrorClass(`${name} is a promise. Await it.`);
}

/** Returns whether a value can have named fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes a wrong argument for error messages: the value itself if it is a primitive, or else its type. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describeType(value);
}

/**
 * Quotes a character for error messages, or names the code point of an invisible character, such as a byte
 * order mark.
 */
export function describeCharacter(character: string): string {
  if (!/[\p{C}\p{Z}]/u.test(character)) return `“${character}”`;
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Describes the type of a wrong argument for error messages. */
export function describeType(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (isPromise(value)) return 'a promise';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
