/**
 * Makes `for … of`, spread and Array.from throw an error with advice. The method is not declared in the
 * class, so that TypeScript also refuses these uses.
 */
export function refuseSyncIteration({ prototype }: { prototype: object }, advice: string): void {
  const refuse = (): never => {
    throw new TypeError(advice);
  };
  Object.defineProperty(prototype, Symbol.iterator, { value: refuse });
}
