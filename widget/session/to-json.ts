/**
 * Serializes like `JSON.stringify`, but ignores `toJSON`. Some libraries on pages define this method for
 * arrays, so that they become strings.
 */
export function toJson(value: object): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key) {
    return this[key];
  });
}
