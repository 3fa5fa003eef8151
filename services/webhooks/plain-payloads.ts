import { Type, type TObject } from '@sinclair/typebox';
import addFormatsModule from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { compilesQuickly } from '../../core/errors/schema-compiler.ts';
import { contentEvents, eventCatalog } from './event-catalog.ts';

let validators: Map<string, ValidateFunction> | undefined;

/**
 * True if an event's payload may be stored as plain text in a workspace that encrypts all content: the event
 * has no content, and the payload has only the fields of its schema.
 */
export function isPlainPayload(event: string, payload: unknown): boolean {
  validators ??= compileValidators();
  return validators.get(event)?.(payload) ?? false;
}

function compileValidators(): Map<string, ValidateFunction> {
  const ajv = addFormatsModule.default(new Ajv2020(compilesQuickly));
  const plain = eventCatalog.filter(({ name }) => !contentEvents.has(name));
  return new Map(
    plain.map(({ name, schema }) => {
      // Makes fields optional: rows of an earlier release may lack some.
      const data = Type.Partial(schema.properties['data'] as TObject);
      return [name, ajv.compile(JSON.parse(JSON.stringify(data)) as object)];
    }),
  );
}
