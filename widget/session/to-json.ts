/**
 * Like `JSON.stringify`, but ignores `toJSON`. Some libraries define it for arrays, so that they become
 * strings.
 */
export function toJson(value: object): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key) {
    return this[key];
  });
}
