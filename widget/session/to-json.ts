/** Like `JSON.stringify`, but ignores `toJSON` of arrays, which some page libraries define to return a string. */
export function toJson(value: object): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key) {
    return this[key];
  });
}
