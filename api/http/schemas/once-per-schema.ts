import type { TSchema } from '@sinclair/typebox';
import { oncePerObject } from '../../../core/concurrency/once-per-object.ts';

/** Compiles a schema on first use; many operations share theirs. */
export function oncePerSchema<T>(compile: (schema: TSchema) => T): (schema: TSchema) => T {
  return oncePerObject((schema) => compile(withoutIds(schema)));
}

/** Copies a schema without names of its parts: validators and serializers process every schema whole. */
function withoutIds(schema: TSchema): TSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value)),
  ) as TSchema;
}
