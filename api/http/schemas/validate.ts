import type { TSchema } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaValidateFunction } from 'ajv/dist/types/index.js';
import addFormatsModule from 'ajv-formats';
import { isAsciiEmailAddress } from '../../../core/contacts/email-address.ts';
import { MAX_DETAILS, validationError, type ErrorDetail } from '../../../core/errors/errors.ts';
import { describeFreeFormExcess } from '../../../core/free-form.ts';
import { countValues } from '../../../core/value-count.ts';
import { singleLineKeyword } from '../../../core/text/single-line-schema.ts';
import { isUuid } from '../../../core/ids.ts';
import { compilesQuickly } from '../../../core/errors/schema-compiler.ts';
import { truncateToSchema } from '../limits/body-limits.ts';
import { toFieldErrors, formatFieldPath, shortenPath } from '../../../core/errors/field-errors.ts';
import { memoizePerSchema } from './memoize-per-schema.ts';
import { FREE_FORM_KEYWORD, MAX_VALUES_KEYWORD } from './schemas.ts';
import type { Check } from './check.ts';

const DECIMAL = /^-?\d+(\.\d+)?$/;

const addFormats = addFormatsModule.default;
const options = {
  ...compilesQuickly,
  allErrors: true,
  strict: false,
  useDefaults: true,
  addUsedSchema: false,
  allowUnionTypes: true,
  // Verbose validation errors include their schema, whose example the error message shows.
  verbose: true,
};
const bodyAjv = new Ajv2020(options);
const parameterAjv = new Ajv2020({ ...options, coerceTypes: 'array' });
const checkFreeForm: SchemaValidateFunction = (_isFreeForm, value: object, schema) => {
  const declared = (schema?.['properties'] ?? {}) as object;
  const message = describeFreeFormExcess(value, declared);
  checkFreeForm.errors = message === null ? [] : [{ keyword: FREE_FORM_KEYWORD, message, params: {} }];
  return message === null;
};
const checkValueCount: SchemaValidateFunction = (limit: number, value: object) => {
  const isWithin = countValues(value, limit) <= limit;
  const message = `must have at most ${limit} values, including those in nested objects and lists`;
  checkValueCount.errors = isWithin ? [] : [{ keyword: MAX_VALUES_KEYWORD, message, params: {} }];
  return isWithin;
};

bodyAjv.addKeyword(singleLineKeyword);
bodyAjv.addKeyword({
  keyword: FREE_FORM_KEYWORD,
  type: 'object',
  schemaType: 'boolean',
  validate: checkFreeForm,
});
bodyAjv.addKeyword({
  keyword: MAX_VALUES_KEYWORD,
  type: 'object',
  schemaType: 'number',
  validate: checkValueCount,
});
addFormats(bodyAjv);
addFormats(parameterAjv);
for (const ajv of [bodyAjv, parameterAjv]) {
  ajv.addFormat('date-time', isDateTime);
  // Replaces the `uuid` format of ajv-formats, which also accepts URNs.
  ajv.addFormat('uuid', isUuid);
  // Replaces the `email` format of ajv-formats, which limits the length of neither local parts nor domain
  // labels.
  ajv.addFormat('email', isAsciiEmailAddress);
}

const compileBody = memoizePerSchema((schema) => bodyAjv.compile(withoutFilledDefaults(schema)));
const compileParameters = memoizePerSchema((schema) => parameterAjv.compile(schema));

const UNKNOWN_FIELD = 'is not a known field';

export type FieldHints = Readonly<Record<string, string>>;

/**
 * Compiles a check of one part of a request, such as its body. The check converts parameters to the types of
 * their schemas, but not bodies. The check writes defaults into the checked value.
 * @param hints advice on unknown fields, by their names
 * @param readOnlyFields names of fields that only the response has
 */
export function compileCheck(
  schema: TSchema,
  where: ErrorDetail['in'],
  hints: FieldHints = {},
  readOnlyFields: readonly string[] = [],
): Check {
  const validate = where === 'body' ? compileBody(schema) : compileParameters(schema);
  const numbers = where === 'body' ? [] : namesOfNumbers(schema);
  const addHint = (detail: ErrorDetail): ErrorDetail => {
    if (detail.code !== 'unknown_key') return detail;
    if (Object.hasOwn(hints, detail.field))
      return { ...detail, message: `${UNKNOWN_FIELD} (${hints[detail.field]})` };
    return detail.message === UNKNOWN_FIELD && readOnlyFields.includes(detail.field)
      ? { ...detail, message: 'cannot be set; only responses contain this field' }
      : detail;
  };
  return (value) => {
    invalidateUnusualNumerals(value, numbers);
    const checked = truncateToSchema(value, schema);
    const unstorable = findUnstorables(checked).map((detail) => ({ ...detail, in: where }));
    return validate(checked)
      ? unstorable
      : [...unstorable, ...toFieldErrors(validate.errors ?? [], where, checked).map(addHint)];
  };
}

function namesOfNumbers({ properties = {} }: TSchema): string[] {
  return Object.entries(properties as Record<string, TSchema>)
    .filter(([, { type }]) => type === 'integer' || type === 'number')
    .map(([name]) => name);
}

/**
 * Removes defaults from free-form objects, which the API stores and returns unchanged. The code that reads
 * such an object applies the defaults.
 */
function withoutFilledDefaults(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (_key, node: TSchema | null) => {
    if (!node?.[FREE_FORM_KEYWORD]) return node;
    const { properties = {} } = node as { properties?: Record<string, TSchema> };
    for (const property of Object.values(properties)) delete property['default'];
    return node;
  }) as TSchema;
}

/**
 * Makes unusual numerals invalid. Without this, Ajv would convert everything that JavaScript accepts as a
 * number: `1e3`, `0x10`, blanks.
 */
function invalidateUnusualNumerals(value: unknown, names: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const parameters = value as Record<string, unknown>;
  for (const name of names) {
    const text = parameters[name];
    if (typeof text === 'string' && !DECIMAL.test(text)) parameters[name] = {};
  }
}

/**
 * Throws an error if the validation of a request has found errors.
 * @throws AppError `validation_error`
 */
export function assertValid(details: ErrorDetail[]): void {
  if (details.length > 0) throw validationError(details);
}

/**
 * Compiles a check of a response against its schema. The check returns its errors as text instead of throwing
 * them; null if the response has no errors.
 */
export function compileResponseCheck(schema: TSchema): (value: unknown) => string | null {
  const validate = compileBody(schema);
  return (value) => (validate(value) ? null : bodyAjv.errorsText(validate.errors));
}

type Unstorable = Omit<ErrorDetail, 'in'>;

/**
 * Returns an error for each value that PostgreSQL cannot store, such as NUL characters. Stops after one error
 * more than a response lists.
 */
function findUnstorables(value: unknown): Unstorable[] {
  const found: Unstorable[] = [];
  const path: (string | number)[] = [];
  const note = (message: string, code = 'characters') => {
    const shortPath = shortenPath(path);
    found.push({ field: formatFieldPath(shortPath), path: shortPath, code, message });
  };
  const visitValue = (part: unknown): void => {
    if (found.length > MAX_DETAILS) return;
    if (typeof part === 'string') {
      const problem = findProblem(part);
      if (problem) note(problem);
    } else if (part === Infinity || part === -Infinity) note('is a number that is too large', 'number');
    else if (Array.isArray(part)) part.forEach((item, index) => visitChild(index, item));
    else if (typeof part === 'object' && part !== null)
      for (const [key, item] of Object.entries(part)) {
        const problem = findProblem(key);
        if (problem) note(`has a key that ${problem}`);
        else visitChild(key, item);
      }
  };
  const visitChild = (step: string | number, part: unknown): void => {
    path.push(step);
    visitValue(part);
    path.pop();
  };
  visitValue(value);
  return found;
}

function findProblem(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain the NUL character';
  return text.isWellFormed() ? null : 'must not contain a lone surrogate';
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$/;

/**
 * Returns whether a text is a time of RFC 3339 that PostgreSQL can store. PostgreSQL supports years from 1
 * and UTC offsets of less than 16 hours.
 */
function isDateTime(text: string): boolean {
  const date = DATE_TIME.exec(text)?.[1];
  if (date === undefined || date.startsWith('0000') || Number.isNaN(Date.parse(text))) return false;
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}
