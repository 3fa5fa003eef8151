import type { ErrorObject } from 'ajv/dist/2020.js';
import type { ErrorDetail } from '../../core/errors.ts';
import { schemaMessage } from '../../core/schema-messages.ts';

export type FieldPath = readonly (string | number)[];

/** One entry for each field and rule that `root`, a part of a request, breaks. */
export function fieldErrors(
  errors: readonly ErrorObject[],
  where: ErrorDetail['in'],
  root: unknown,
): ErrorDetail[] {
  const details = errors
    .filter(({ keyword }) => keyword !== 'anyOf')
    .map((error) => detailOf(error, where, root));
  return [...new Map(details.map((detail) => [JSON.stringify([detail.path, detail.code]), detail])).values()];
}

function detailOf(error: ErrorObject, where: ErrorDetail['in'], root: unknown): ErrorDetail {
  const { keyword, instancePath, params } = error;
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const named = missingProperty ?? additionalProperty;
  const container = pathTo(instancePath, root);
  const path = named === undefined ? container : [...container, named];
  return {
    field: fieldName(path),
    path,
    in: where,
    code: keyword === 'additionalProperties' ? 'unknown_key' : keyword,
    message: schemaMessage(error),
  };
}

/** A JSON Pointer does not say which of its digits are places in a list; the value does. */
function pathTo(pointer: string, root: unknown): FieldPath {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => {
      const step = Array.isArray(value) ? Number(segment) : unescapePointer(segment);
      value = (value as Record<string | number, unknown> | null)?.[step];
      return step;
    });
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `lead_capture_config.fields[0].key`; the whole body is `(body)`. */
export function fieldName(path: FieldPath): string {
  const name = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return name.replace(/^\./, '') || '(body)';
}
