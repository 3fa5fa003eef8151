/** Recognizes promises of any library, such as a call that was not awaited. */
export function isPromise(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Describes the type of a wrong value, for errors. */
export function describeType(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (isPromise(value)) return 'a promise';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
