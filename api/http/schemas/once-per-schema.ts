import type { TSchema } from '@sinclair/typebox';
import { oncePerObject } from '../../../core/concurrency/once-per-object.ts';

/** Compiles a schema the first time it is asked for; many operations share theirs. */
export function oncePerSchema<T>(compile: (schema: TSchema) => T): (schema: TSchema) => T {
  return oncePerObject((schema) => compile(withoutIds(schema)));
}

/** A copy in which no part is named: validators and serializers take every schema whole. */
function withoutIds(schema: TSchema): TSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value)),
  ) as TSchema;
}
