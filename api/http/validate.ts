import type { TSchema } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { validationError, type ErrorDetail } from '../../core/errors.ts';
import { isUuid } from '../../core/ids.ts';
import { fieldErrors, fieldName, type FieldPath } from './field-errors.ts';
import { oncePerSchema } from './once-per-schema.ts';

export const MAX_JSON_DEPTH = 64;
const DECIMAL = /^-?\d+(\.\d+)?$/;

const addFormats = addFormatsModule.default;
const options = {
  allErrors: true,
  strict: false,
  useDefaults: true,
  addUsedSchema: false,
  allowUnionTypes: true,
  // Errors then carry the schema they come from, and with it an example to show.
  verbose: true,
};
const bodyAjv = new Ajv2020(options);
const parameterAjv = new Ajv2020({ ...options, coerceTypes: 'array' });
addFormats(bodyAjv);
addFormats(parameterAjv);
for (const ajv of [bodyAjv, parameterAjv]) {
  ajv.addFormat('date-time', isDateTime);
  // The package's own takes URNs, too.
  ajv.addFormat('uuid', isUuid);
}

const compileBody = oncePerSchema((schema) => bodyAjv.compile(schema));
const compileParameters = oncePerSchema((schema) => parameterAjv.compile(schema));

/** Answers with all that is wrong. */
export type Check = (value: unknown) => ErrorDetail[];

/**
 * A check of one part of a request; parameters are converted to their schemas' types, bodies never are.
 * Absent fields get their defaults, in place.
 */
export function compileCheck(schema: TSchema, where: ErrorDetail['in']): Check {
  const validate = where === 'body' ? compileBody(schema) : compileParameters(schema);
  const numbers = where === 'body' ? [] : namesOfNumbers(schema);
  return (value) => {
    spoilNumerals(value, numbers);
    const unstorable = unstorablesIn(value).map((detail) => ({ ...detail, in: where }));
    return validate(value)
      ? unstorable
      : [...unstorable, ...fieldErrors(validate.errors ?? [], where, value)];
  };
}

function namesOfNumbers({ properties = {} }: TSchema): string[] {
  return Object.entries(properties as Record<string, TSchema>)
    .filter(([, { type }]) => type === 'integer' || type === 'number')
    .map(([name]) => name);
}

/** Ajv would convert whatever JavaScript takes for a number: `1e3`, `0x10`, blanks. */
function spoilNumerals(value: unknown, names: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const parameters = value as Record<string, unknown>;
  for (const name of names) {
    const text = parameters[name];
    if (typeof text === 'string' && !DECIMAL.test(text)) parameters[name] = {};
  }
}

/** @throws AppError `validation_error` unless nothing is wrong */
export function assertValid(details: ErrorDetail[]): void {
  if (details.length > 0) throw validationError(details);
}

/** A check that answers with its complaint instead of throwing. */
export function compileResponseCheck(schema: TSchema): (value: unknown) => string | null {
  const validate = compileBody(schema);
  return (value) => (validate(value) ? null : bodyAjv.errorsText(validate.errors));
}

type Unstorable = Omit<ErrorDetail, 'in'>;

/** What PostgreSQL could not keep as it is. */
function unstorablesIn(value: unknown, path: FieldPath = []): Unstorable[] {
  if (typeof value === 'string') return unstorable(path, problemOf(value));
  if (value === Infinity || value === -Infinity) return unstorable(path, 'is too large a number', 'number');
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => unstorablesIn(item, [...path, index]));
  return Object.entries(value).flatMap(([key, item]) => {
    const problem = problemOf(key);
    return problem ? unstorable(path, `has a key that ${problem}`) : unstorablesIn(item, [...path, key]);
  });
}

function unstorable(path: FieldPath, message: string | null, code = 'characters'): Unstorable[] {
  return message === null ? [] : [{ field: fieldName(path), path, code, message }];
}

function problemOf(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain the NUL character';
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair';
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$/;

/** RFC 3339 as far as PostgreSQL can read it: years from 1, offsets of less than 16 hours. */
function isDateTime(text: string): boolean {
  const date = DATE_TIME.exec(text)?.[1];
  if (date === undefined || date.startsWith('0000') || Number.isNaN(Date.parse(text))) return false;
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}
