import type { ErrorObject } from 'ajv/dist/2020.js';
import { findNearestNames, suggestNames } from '../text/nearest-names.ts';
import type { ErrorDetail } from './errors.ts';

/** Maximum number of known fields of a body that an error message lists. Parameters of a query are few. */
const MAX_LISTED_FIELDS = 8;
/** Maximum number of characters in a value that an error message repeats. */
const MAX_QUOTED_LENGTH = 60;
const WILDCARD_HOST = '*.example.com';

const types: Record<string, string> = {
  string: 'a string',
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
  email: 'an email address',
  uri: 'a URL',
};

/** Error messages for values that do not match a pattern, if an example alone does not explain the pattern. */
const patternRules: Record<string, string> = {
  '^[a-z][a-z0-9_]*$':
    'must begin with a lowercase letter and contain only lowercase letters, digits and _, such as "company"',
  "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$": 'must be the name of a header, such as "Authorization"',
  "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$": 'must be the name of a header, such as "Authorization"',
  '^[\\x20-\\x7e]*$': 'must contain only printable ASCII characters and no line break',
  '^[ -~]+$': 'must contain only printable ASCII characters',
  '^[!-~]+$': 'must contain only printable ASCII characters and no spaces',
  '^[0-9]{6}$': 'must be the six digits of the code, such as "123456"',
  '^[^\\u0000]*$': 'must not contain the NUL character',
};

/** Error messages by the JSON Schema keyword of the broken rule. */
const messages: Record<
  string,
  (params: Record<string, unknown>, examples: unknown[], data: unknown) => string
> = {
  required: () => 'is required',
  type: ({ type }, _, data) =>
    `must be ${[type]
      .flat()
      .map((name) => types[String(name)] ?? String(name))
      .join(' or ')}${describeEncodedJson([type].flat(), data)}`,
  format: ({ format }, _, data) =>
    `must be ${formats[String(format)] ?? String(format)}${describeFormat(String(format), data)}`,
  enum: ({ allowedValues }, _, data) =>
    `must be one of ${[allowedValues]
      .flat()
      .filter((value) => value !== null)
      .map((value) => JSON.stringify(value))
      .join(
        ', ',
      )}${describeSeveral([allowedValues].flat(), data)}${suggestValue([allowedValues].flat(), data)}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`,
  maxLength: ({ limit }) => `must have at most ${String(limit)} characters`,
  minItems: ({ limit }) => `must have at least ${describeItemCount(limit)}`,
  maxItems: ({ limit }) => `must have at most ${describeItemCount(limit)}`,
  maxProperties: ({ limit }) => `must have at most ${String(limit)} keys`,
  uniqueItems: () => 'must not contain duplicates',
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  pattern: ({ pattern }, examples, data) => {
    if (pattern === '\\S' || (typeof data === 'string' && data !== '' && data.trim() === ''))
      return 'must not be blank';
    const rule = patternRules[String(pattern)];
    if (rule) return rule;
    // Recognize both patterns of document ids, of which one accepts an empty id.
    if (String(pattern).includes('|upload)$)'))
      return 'must be printable text such as "docs/intro.md", but not ".", ".." or "upload"';
    return examples.length === 0
      ? `must match ${String(pattern)}`
      : `must look like ${examples.map((each) => JSON.stringify(each)).join(' or ')}${describeWildcard(pattern, data)}`;
  },
};

/** Returns the error message for a value that breaks a rule of its JSON Schema. */
export function formatSchemaError(
  { keyword, params, parentSchema, message = 'is not valid', data }: ErrorObject,
  where: ErrorDetail['in'] = 'body',
): string {
  if (keyword === 'additionalProperties') return describeUnknownField(params, parentSchema, where);
  return messages[keyword]?.(params, listExamples(parentSchema), data) ?? message;
}

/**
 * Names the known fields that the caller may have meant by an unknown field, or all known fields if they are
 * few.
 */
function describeUnknownField(
  { additionalProperty }: ErrorObject['params'],
  parentSchema: ErrorObject['parentSchema'],
  where: ErrorDetail['in'],
): string {
  const fieldNames = Object.keys((parentSchema?.['properties'] ?? {}) as object);
  const suggestion = suggestNames(String(additionalProperty), fieldNames);
  if (suggestion !== '') return `is not a known field${suggestion}`;
  if (where === 'body' && fieldNames.length > MAX_LISTED_FIELDS) return 'is not a known field';
  return `is not a known field (${fieldNames.length === 0 ? 'there are none' : `known fields: ${fieldNames.join(', ')}`})`;
}

/** Returns a hint if an object or list was encoded as JSON twice. */
function describeEncodedJson(types: readonly unknown[], data: unknown): string {
  const isJson = typeof data === 'string' && /^\s*[{[]/.test(data);
  return isJson && (types.includes('object') || types.includes('array'))
    ? ', not a string of JSON: encode the value once'
    : '';
}

/** Names the allowed value that a mistyped value of a field resembles. */
function suggestValue(allowed: readonly unknown[], data: unknown): string {
  if (typeof data !== 'string') return '';
  const near = findNearestNames(
    data,
    allowed.filter((value) => typeof value === 'string'),
  );
  return near.length === 0
    ? ''
    : ` (did you mean ${near.map((value) => JSON.stringify(value)).join(' or ')}?)`;
}

/** Returns a hint if a text lists several allowed values with commas. */
function describeSeveral(allowed: readonly unknown[], data: unknown): string {
  const values = typeof data === 'string' ? data.split(',').map((value) => value.trim()) : [];
  return values.length > 1 && values.every((value) => allowed.includes(value))
    ? '; specify only one of them'
    : '';
}

function describeFormat(format: string, data: unknown): string {
  if (format === 'date-time') return describeOffset(data);
  // Repeat an invalid id: ids come from variables, so callers do not see which value they sent.
  return format === 'uuid' && typeof data === 'string' ? `, not ${quoteBeginning(data)}` : '';
}

function quoteBeginning(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text);
}

/**
 * Returns a hint if a time has no UTC offset, or if URL decoding has turned the `+` of the offset into a
 * blank.
 */
function describeOffset(text: unknown): string {
  if (typeof text !== 'string') return '';
  if (/:\d\d(\.\d+)? \d\d:\d\d$/.test(text)) return '; write the + of its offset as %2B';
  return /^[-\d]{10}[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? '; add Z or an offset such as -05:00' : '';
}

/** Returns a hint if a list of hosts, which may have wildcards, contains `*` for all hosts. */
function describeWildcard(pattern: unknown, data: unknown): string {
  return data === '*' && new RegExp(String(pattern), 'u').test(WILDCARD_HOST)
    ? `; use "${WILDCARD_HOST}" for subdomains; to allow all hosts, use null instead of the list`
    : '';
}

function listExamples(schema: ErrorObject['parentSchema']): unknown[] {
  return Array.isArray(schema?.['examples']) ? schema['examples'] : [];
}

function describeItemCount(limit: unknown): string {
  return limit === 1 ? 'one item' : `${String(limit)} items`;
}
