import type { ErrorObject } from 'ajv/dist/2020.js';
import { cutText } from '../text/cut-text.ts';
import { MAX_DETAILS, type ErrorDetail } from './errors.ts';
import { formatSchemaError } from './schema-messages.ts';

export type FieldPath = readonly (string | number)[];

/**
 * Maximum number of characters of an unknown key in an error message: the key may be as long as the request's
 * body.
 */
const MAX_SHOWN_KEY_CHARS = 100;

/**
 * Maximum number of the validator's errors to convert to field errors. Thousands of unknown keys with the same
 * first characters are one error in the result, so the number of results does not limit the work.
 */
const MAX_CONVERTED = 5 * MAX_DETAILS;

/**
 * Converts the errors of the JSON Schema validator Ajv to one error for each field and broken rule. Returns at
 * most one error more than `MAX_DETAILS`.
 * @param root checked part of the request
 */
export function toFieldErrors(
  errors: readonly ErrorObject[],
  where: ErrorDetail['in'],
  root: unknown,
): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  let converted = 0;
  for (const error of errors) {
    if (error.keyword === 'anyOf' || isImpliedByLength(error)) continue;
    const detail = toDetail(error, where, root);
    details.set(JSON.stringify([detail.path, detail.code]), detail);
    converted += 1;
    if (details.size > MAX_DETAILS || converted >= MAX_CONVERTED) break;
  }
  return [...details.values()];
}

/** Error codes by JSON Schema keyword, for keywords whose name is not the error code. */
const codes: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown_key',
  'x-free-form': 'free_form',
  'x-max-values': 'maxValues',
  'x-single-line': 'single_line',
};

function toDetail(error: ErrorObject, where: ErrorDetail['in'], root: unknown): ErrorDetail {
  const { keyword, instancePath, params } = error;
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const property = missingProperty ?? additionalProperty;
  const container = parsePointer(instancePath, root);
  const path = shortenPath(property === undefined ? container : [...container, property]);
  return {
    field: formatFieldPath(path),
    path,
    in: where,
    code: codes[keyword] ?? keyword,
    message:
      where !== 'body' && isRepeated(error) ? 'must be given only once' : formatSchemaError(error, where),
  };
}

/**
 * Returns whether an empty text violates a pattern only because it is empty. An error for its minimum length
 * already reports the empty text.
 */
function isImpliedByLength({ keyword, data, parentSchema }: ErrorObject): boolean {
  return keyword === 'pattern' && data === '' && Number(parentSchema?.['minLength'] ?? 0) > 0;
}

/**
 * Returns whether a query parameter was sent several times although it takes one value. The validator then
 * reports a list in place of the value.
 */
function isRepeated({ keyword, data }: ErrorObject): boolean {
  return keyword === 'type' && Array.isArray(data);
}

/** Truncates long keys in the path of a request's field. */
export function shortenPath(path: FieldPath): FieldPath {
  return path.map((step) =>
    typeof step === 'number' || step.length <= MAX_SHOWN_KEY_CHARS
      ? step
      : `${cutText(step, MAX_SHOWN_KEY_CHARS)}…`,
  );
}

/**
 * Converts a JSON Pointer to a path of keys and indexes. The value at `root` shows whether a segment is an
 * index or a key.
 */
function parsePointer(pointer: string, root: unknown): FieldPath {
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

/**
 * Formats the path of a request's field as `lead_capture_config.fields[0].key`; an empty path becomes
 * `(body)`.
 */
export function formatFieldPath(path: FieldPath): string {
  const name = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return name.replace(/^\./, '') || '(body)';
}
