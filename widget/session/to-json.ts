/** Like `JSON.stringify`, also on pages whose libraries have taught lists a `toJSON` that makes texts of them. */
export function toJson(value: object): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key) {
    return this[key];
  });
}
