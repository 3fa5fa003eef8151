import type { TSchema } from '@sinclair/typebox';
import { memoizePerObject } from '../../../core/concurrency/memoize-per-object.ts';

/** Returns a function that compiles each schema once, on first use, since many operations share schemas. */
export function memoizePerSchema<T>(compile: (schema: TSchema) => T): (schema: TSchema) => T {
  return memoizePerObject((schema) => compile(withoutIds(schema)));
}

/** Copies a JSON schema without its `$id`s, since each schema is compiled on its own. */
function withoutIds(schema: TSchema): TSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value)),
  ) as TSchema;
}
