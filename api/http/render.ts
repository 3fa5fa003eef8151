import type { TSchema } from '@sinclair/typebox';
import fastJson from 'fast-json-stringify';
import type { ServerSentEvent } from './operation.ts';
import { oncePerSchema } from './once-per-schema.ts';
import { compileResponseCheck } from './validate.ts';

/** A value as JSON; whatever its schema does not declare stays behind. */
export type Renderer<T = unknown> = (value: T) => string;

const compileStringifier = oncePerSchema((schema) => fastJson(schema));

/**
 * @param what is rendered, for messages
 * @param isChecked throw where a value does not fit (tests)
 */
export function compileRenderer(schema: TSchema, what: string, isChecked: boolean): Renderer {
  const stringify = compileStringifier(schema);
  if (!isChecked) return stringify;
  const check = compileResponseCheck(schema);
  return (value) => {
    const complaint = check(value);
    if (complaint)
      throw new Error(`${what} answered with something that does not fit its schema: ${complaint}`);
    return stringify(value);
  };
}

/** The data of events; each variant of the schema is titled with the name of its event. */
export function compileEventRenderer(
  schema: TSchema,
  what: string,
  isChecked: boolean,
): Renderer<ServerSentEvent> {
  const variants = (schema['anyOf'] ?? [schema]) as TSchema[];
  const renderers = new Map(
    variants.map((variant) => [String(variant.title), compileRenderer(variant, what, isChecked)]),
  );
  return ({ event, data }) => {
    const render = renderers.get(event);
    if (!render) throw new Error(`${what} answered with the event ${event}, which it does not declare.`);
    return render(data);
  };
}
