import type { TSchema } from '@sinclair/typebox';

/** Compiles a schema the first time it is asked for; many operations share theirs. */
export function oncePerSchema<T>(compile: (schema: TSchema) => T): (schema: TSchema) => T {
  const results = new WeakMap<TSchema, T>();
  return (schema) => {
    const known = results.get(schema);
    if (known !== undefined) return known;
    const compiled = compile(withoutIds(schema));
    results.set(schema, compiled);
    return compiled;
  };
}

/** A copy in which no part is named: validators and serializers take every schema whole. */
function withoutIds(schema: TSchema): TSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value)),
  ) as TSchema;
}
