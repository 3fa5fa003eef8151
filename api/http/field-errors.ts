import type { ErrorObject } from 'ajv/dist/2020.js';
import type { ErrorDetail } from '../../core/errors.ts';
import { schemaMessage } from '../../core/schema-messages.ts';

const MAX_DETAILS = 50;

/** One entry for each field and rule, at most 50. */
export function fieldErrors(errors: readonly ErrorObject[], where: ErrorDetail['in']): ErrorDetail[] {
  const details = errors.filter(({ keyword }) => keyword !== 'anyOf').map((error) => detailOf(error, where));
  const unique = new Map(details.map((detail) => [`${detail.field} ${detail.code}`, detail]));
  return [...unique.values()].slice(0, MAX_DETAILS);
}

function detailOf(error: ErrorObject, where: ErrorDetail['in']) {
  const { keyword, instancePath, params } = error;
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  const named = missingProperty ?? additionalProperty;
  return {
    field: fieldName(named === undefined ? path : [...path, named]),
    in: where,
    code: keyword === 'additionalProperties' ? 'unknown_key' : keyword,
    message: schemaMessage(error),
  };
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `lead_capture_config.fields[0].key`; the whole body is `(body)`. */
export function fieldName(path: string[]): string {
  const name = path.map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`)).join('');
  return name.replace(/^\./, '') || '(body)';
}
