import type { TSchema } from '@sinclair/typebox';
import fastJson from 'fast-json-stringify';
import { memoizePerObject } from '../../../core/concurrency/memoize-per-object.ts';
import type { ServerSentEvent } from '../operation.ts';
import { memoizePerSchema } from '../schemas/memoize-per-schema.ts';
import { compileResponseCheck } from '../schemas/validate.ts';

/** Renders a response value as JSON. Omits properties that the schema does not declare. */
export type Renderer<T = unknown> = (value: T) => string;

export interface RenderOptions {
  /** Makes the renderer throw if a value does not match its schema; for tests. */
  isChecked: boolean;
  /**
   * Optimizes the renderer for values with thousands of objects. A property that any part of the schema
   * declares may then appear everywhere.
   */
  isLarge?: boolean;
}

const compileStringifier = memoizePerSchema((schema): Renderer => fastJson(schema));

/**
 * Compiles a renderer for values with thousands of objects. There, `JSON.stringify` is faster than the
 * compiled stringifier. Caches the JSON of each value.
 */
const compileLargeStringifier = memoizePerSchema((schema): Renderer => {
  const names = namesIn(schema);
  const render = memoizePerObject((value) => JSON.stringify(value, names));
  return (value) => render(value as object);
});

/** Returns the names of all properties that a schema declares anywhere. */
function namesIn(schema: TSchema): string[] {
  const names: string[] = [];
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'properties') names.push(...Object.keys(value as object));
    return value;
  });
  return names;
}

/**
 * Compiles a JSON renderer for a response schema.
 * @param operationId name of the response for error messages
 */
export function compileRenderer(
  schema: TSchema,
  operationId: string,
  { isChecked, isLarge = false }: RenderOptions,
): Renderer {
  const stringify = isLarge ? compileLargeStringifier(schema) : compileStringifier(schema);
  if (!isChecked) return stringify;
  const check = compileResponseCheck(schema);
  return (value) => {
    const complaint = check(value);
    if (complaint)
      throw new Error(`${operationId} responded with something that does not fit its schema: ${complaint}`);
    return stringify(value);
  };
}

/**
 * Compiles a renderer for the data of server-sent events. The title of each variant of the schema is the
 * event's name.
 */
export function compileEventRenderer(
  schema: TSchema,
  what: string,
  options: RenderOptions,
): Renderer<ServerSentEvent> {
  const variants = (schema['anyOf'] ?? [schema]) as TSchema[];
  const renderers = new Map(
    variants.map((variant) => [String(variant.title), compileRenderer(variant, what, options)]),
  );
  return ({ event, data }) => {
    const render = renderers.get(event);
    if (!render) throw new Error(`${what} responded with the event ${event}, which it does not declare.`);
    return render(data);
  };
}
