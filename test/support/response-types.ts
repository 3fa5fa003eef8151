import type { Method } from '../../api/http/operation.ts';
import type { RegisteredOperation } from '../../api/registry.ts';

/** JSON body of each operation, by method and path: `GET /api/bots/{}`. */
type Bodies = {
  [O in RegisteredOperation as `${O['method']} ${Shape<O['path']>}`]: Whole<Exclude<O['_body'], undefined>>;
};

/** Merges the fields of a union's members, such as tokens or a challenge: a test knows which member it expects. */
type Whole<B> = [B] extends [Common<B>] ? B : { [K in KeyOf<B>]: B extends Record<K, infer V> ? V : never };
type Common<B> = (B extends unknown ? (body: B) => void : never) extends (body: infer All) => void
  ? All
  : never;
type KeyOf<B> = B extends unknown ? keyof B : never;

/** An operation's path with each parameter replaced by `{}`. */
type Shape<P extends string> = P extends `${infer Before}{${string}}${infer After}`
  ? `${Before}{}${Shape<After>}`
  : P;

type Segments<P extends string> = P extends `${infer First}/${infer Rest}` ? First | Segments<Rest> : P;

/** Fixed segments of the paths of operations. */
type Word = Exclude<Segments<Shape<RegisteredOperation['path']>>, '{}'>;

/** Maps the path that a test requests to an operation's path: each unknown segment is a parameter. */
type ShapeOf<P extends string> = P extends `${infer Path}?${string}`
  ? ShapeOf<Path>
  : P extends `${infer First}/${infer Rest}`
    ? `${WordOf<First>}/${ShapeOf<Rest>}`
    : WordOf<P>;

type WordOf<S extends string> = string extends S ? '{}' : S extends Word ? S : WordBefore<S>;

/** Extracts the fixed segment from a template such as `bots${string}`, which may end in a query. */
type WordBefore<S extends string> = {
  [W in Word]: `${W}${string}` extends S ? W : never;
}[Word] extends infer W
  ? [W] extends [never]
    ? '{}'
    : W & string
  : never;

/** Success body of the operation at this path; unknown if the path's type does not identify the operation. */
export type BodyAt<M extends Method, P extends string> = `${M} ${ShapeOf<P>}` extends infer K
  ? K extends keyof Bodies
    ? Bodies[K]
    : unknown
  : never;
