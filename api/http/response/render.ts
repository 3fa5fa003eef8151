import type { TSchema } from '@sinclair/typebox';
import fastJson from 'fast-json-stringify';
import { oncePerObject } from '../../../core/concurrency/once-per-object.ts';
import type { ServerSentEvent } from '../operation.ts';
import { oncePerSchema } from '../schemas/once-per-schema.ts';
import { compileResponseCheck } from '../schemas/validate.ts';

/** A value as JSON; whatever its schema does not declare stays behind. */
export type Renderer<T = unknown> = (value: T) => string;

export interface RenderOptions {
  /** Throw where a value does not fit (tests). */
  isChecked: boolean;
  /** Thousands of objects; what one part of the schema declares may then stand in any other. */
  isLarge?: boolean;
}

const compileStringifier = oncePerSchema((schema): Renderer => fastJson(schema));

/**
 * The other stringifier joins small pieces of text: to copy thousands of them together takes longer than all of this.
 * A value that is returned again is not rendered again.
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

/** @param what is rendered, for messages */
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

/** The data of events; each variant of the schema is titled with the name of its event. */
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
