import type { Method } from '../../api/http/operation.ts';
import type { RegisteredOperation } from '../../api/registry.ts';

/** What each operation returns in JSON, by its method and its path: `GET /api/bots/{}`. */
type Bodies = {
  [O in RegisteredOperation as `${O['method']} ${Shape<O['path']>}`]: Whole<Exclude<O['_body'], undefined>>;
};

/** Of alternatives, as of tokens or a challenge, the fields of all: a test knows which of them it asks for. */
type Whole<B> = [B] extends [Common<B>] ? B : { [K in KeyOf<B>]: B extends Record<K, infer V> ? V : never };
type Common<B> = (B extends unknown ? (body: B) => void : never) extends (body: infer All) => void
  ? All
  : never;
type KeyOf<B> = B extends unknown ? keyof B : never;

/** A path with each of its parameters as `{}`. */
type Shape<P extends string> = P extends `${infer Before}{${string}}${infer After}`
  ? `${Before}{}${Shape<After>}`
  : P;

type Segments<P extends string> = P extends `${infer First}/${infer Rest}` ? First | Segments<Rest> : P;

/** What paths are made of, but for their parameters. */
type Word = Exclude<Segments<Shape<RegisteredOperation['path']>>, '{}'>;

/** The path that a test asks for, as operations have it: what is none of their words is a parameter. */
type ShapeOf<P extends string> = P extends `${infer Path}?${string}`
  ? ShapeOf<Path>
  : P extends `${infer First}/${infer Rest}`
    ? `${WordOf<First>}/${ShapeOf<Rest>}`
    : WordOf<P>;

type WordOf<S extends string> = string extends S ? '{}' : S extends Word ? S : WordBefore<S>;

/** Of `bots${string}`, behind which a query may stand: the word. */
type WordBefore<S extends string> = {
  [W in Word]: `${W}${string}` extends S ? W : never;
}[Word] extends infer W
  ? [W] extends [never]
    ? '{}'
    : W & string
  : never;

/** What the operation at this path returns where it succeeds; unknown where the type of the path does not tell which it is. */
export type BodyAt<M extends Method, P extends string> = `${M} ${ShapeOf<P>}` extends infer K
  ? K extends keyof Bodies
    ? Bodies[K]
    : unknown
  : never;
