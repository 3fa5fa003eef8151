import type { ErrorObject } from 'ajv/dist/2020.js';
import { cutText } from '../text/cut-text.ts';
import { MAX_DETAILS, type ErrorDetail } from './errors.ts';
import { schemaMessage } from './schema-messages.ts';

export type FieldPath = readonly (string | number)[];

/** Maximum length of an undeclared key in a message: it may be as long as the body. */
const KEY_SHOWN = 100;

/**
 * Returns an entry for each field and rule that `root`, a part of a request, breaks; at most one more than a
 * response lists.
 */
export function fieldErrors(
  errors: readonly ErrorObject[],
  where: ErrorDetail['in'],
  root: unknown,
): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of errors) {
    if (error.keyword === 'anyOf') continue;
    const detail = toDetail(error, where, root);
    details.set(JSON.stringify([detail.path, detail.code]), detail);
    if (details.size > MAX_DETAILS) break;
  }
  return [...details.values()];
}

/** Codes that are not the keyword of the rule itself. */
const codes: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown_key',
  'x-free-form': 'free_form',
  'x-max-values': 'maxValues',
};

function toDetail(error: ErrorObject, where: ErrorDetail['in'], root: unknown): ErrorDetail {
  const { keyword, instancePath, params } = error;
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const named = missingProperty ?? additionalProperty;
  const container = pathTo(instancePath, root);
  const path = shownPath(named === undefined ? container : [...container, named]);
  return {
    field: fieldName(path),
    path,
    in: where,
    code: codes[keyword] ?? keyword,
    message: where !== 'body' && isRepeated(error) ? 'must be given once' : schemaMessage(error),
  };
}

/** A repeated parameter is a list, although a single value was expected. */
function isRepeated({ keyword, data }: ErrorObject): boolean {
  return keyword === 'type' && Array.isArray(data);
}

/** Shortens a path for the response. */
export function shownPath(path: FieldPath): FieldPath {
  return path.map((step) =>
    typeof step === 'number' || step.length <= KEY_SHOWN ? step : `${cutText(step, KEY_SHOWN)}…`,
  );
}

/** A JSON Pointer does not distinguish indexes from keys; the value does. */
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

/** Formats a path as `lead_capture_config.fields[0].key`; the whole body is `(body)`. */
export function fieldName(path: FieldPath): string {
  const name = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return name.replace(/^\./, '') || '(body)';
}
