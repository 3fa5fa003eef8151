import type { TSchema } from '@sinclair/typebox';
import fastJson from 'fast-json-stringify';
import { oncePerObject } from '../../../core/concurrency/once-per-object.ts';
import type { ServerSentEvent } from '../operation.ts';
import { oncePerSchema } from '../schemas/once-per-schema.ts';
import { compileResponseCheck } from '../schemas/validate.ts';

/** Renders a value as JSON, without properties that its schema does not declare. */
export type Renderer<T = unknown> = (value: T) => string;

export interface RenderOptions {
  /** Throws if a value does not fit (tests). */
  isChecked: boolean;
  /**
   * The value has thousands of objects; properties that one part of the schema declares may then appear in any other.
   */
  isLarge?: boolean;
}

const compileStringifier = oncePerSchema((schema): Renderer => fastJson(schema));

/**
 * The other stringifier concatenates small strings, which is slower for thousands of them. A returned value is cached
 * with its JSON.
 */
const compileLargeStringifier = oncePerSchema((schema): Renderer => {
  const names = namesIn(schema);
  const render = oncePerObject((value) => JSON.stringify(value, names));
  return (value) => render(value as object);
});

/** Names of all properties, in order. */
function namesIn(schema: TSchema): string[] {
  const names: string[] = [];
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'properties') names.push(...Object.keys(value as object));
    return value;
  });
  return names;
}

/** @param what name of the rendered value, for messages */
export function compileRenderer(
  schema: TSchema,
  what: string,
  { isChecked, isLarge = false }: RenderOptions,
): Renderer {
  const stringify = isLarge ? compileLargeStringifier(schema) : compileStringifier(schema);
  if (!isChecked) return stringify;
  const check = compileResponseCheck(schema);
  return (value) => {
    const complaint = check(value);
    if (complaint)
      throw new Error(`${what} responded with something that does not fit its schema: ${complaint}`);
    return stringify(value);
  };
}

/** Renders the data of events; the title of each variant of the schema is its event's name. */
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
