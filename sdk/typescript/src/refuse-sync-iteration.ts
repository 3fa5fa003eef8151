/**
 * Makes `for … of`, spread and Array.from throw an error with advice for objects that need `for await`. The
 * method is not declared in the class, so that TypeScript also refuses these uses.
 */
export function refuseSyncIteration({ prototype }: { prototype: object }, advice: string): void {
  const refuse = (): never => {
    throw new TypeError(advice);
  };
  Object.defineProperty(prototype, Symbol.iterator, { value: refuse });
}

const ARRAY_METHODS = ['map', 'filter', 'forEach', 'find', 'some', 'every', 'reduce', 'at', 'slice'];

/**
 * Makes methods of arrays throw an error with advice on objects that are no arrays. This helps in JavaScript:
 * TypeScript already refuses these calls.
 */
export function refuseArrayMethods({ prototype }: { prototype: object }, advice: string): void {
  const refuse = (): never => {
    throw new TypeError(advice);
  };
  for (const name of ARRAY_METHODS) Object.defineProperty(prototype, name, { value: refuse });
}
