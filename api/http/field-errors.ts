import type { ErrorObject } from 'ajv/dist/2020.js';
import type { ErrorDetail } from '../../core/errors.ts';

const MAX_DETAILS = 50;

const types: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const formats: Record<string, string> = {
  uuid: 'a UUID',
  'date-time': 'a date and time such as 2026-09-03T10:15:30Z',
  date: 'a date such as 2026-09-03',
  email: 'an e-mail address',
  uri: 'a URL',
};

/** What a person is told about a field that breaks a rule of its schema, by the rule's JSON Schema keyword. */
const messages: Record<string, (params: Record<string, unknown>, example: unknown) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((name) => types[String(name)] ?? String(name))
      .join(' or ')}`,
  format: ({ format }) => `must be ${formats[String(format)] ?? String(format)}`,
  enum: ({ allowedValues }) =>
    `must be one of ${[allowedValues]
      .flat()
      .map((value) => JSON.stringify(value))
      .join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`,
  maxLength: ({ limit }) => `must have at most ${String(limit)} characters`,
  minItems: ({ limit }) => `must have at least ${counted(limit)}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit)}`,
  uniqueItems: () => 'must not name anything twice',
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  pattern: ({ pattern }, example) => {
    if (pattern === '\\S') return 'must not be blank';
    return example === undefined
      ? `must match ${String(pattern)}`
      : `must look like ${JSON.stringify(example)}`;
  },
};

/** One entry for each field and rule, at most 50. */
export function fieldErrors(errors: readonly ErrorObject[], where: ErrorDetail['in']): ErrorDetail[] {
  const details = errors.filter(({ keyword }) => keyword !== 'anyOf').map((error) => detailOf(error, where));
  const unique = new Map(details.map((detail) => [`${detail.field} ${detail.code}`, detail]));
  return [...unique.values()].slice(0, MAX_DETAILS);
}

function detailOf(
  { keyword, instancePath, params, parentSchema, message = 'is not valid' }: ErrorObject,
  where: ErrorDetail['in'],
) {
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  const named = missingProperty ?? additionalProperty;
  return {
    field: fieldName(named === undefined ? path : [...path, named]),
    in: where,
    code: keyword === 'additionalProperties' ? 'unknown_key' : keyword,
    message: messages[keyword]?.(params, exampleIn(parentSchema)) ?? message,
  };
}

function exampleIn(schema: ErrorObject['parentSchema']): unknown {
  return Array.isArray(schema?.['examples']) ? schema['examples'][0] : undefined;
}

function counted(limit: unknown): string {
  return limit === 1 ? 'one item' : `${String(limit)} items`;
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `lead_capture_config.fields[0].key`; the whole body is `(body)`. */
export function fieldName(path: string[]): string {
  const name = path.map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`)).join('');
  return name.replace(/^\./, '') || '(body)';
}
