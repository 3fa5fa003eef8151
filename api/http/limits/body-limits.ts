import type { TSchema } from '@sinclair/typebox';
import { cutText } from '../../../core/text/cut-text.ts';
import { MAX_DETAILS, type ErrorDetail } from '../../../core/errors/errors.ts';
import type { JsonBounds } from '../body/json-outline.ts';
import { cutFreeForm } from '../../../core/free-form.ts';
import { countValues, cutValues } from '../../../core/value-count.ts';
import { formatFieldPath, shortenPath, type FieldPath } from '../../../core/errors/field-errors.ts';
import type { Check } from '../schemas/check.ts';
import { FREE_FORM_KEYWORD, MAX_VALUES_KEYWORD } from '../schemas/schemas.ts';

type Properties = Record<string, TSchema | undefined>;

/**
 * Number of validation errors to find: one more than a response lists, so that the response can mention
 * further errors.
 */
const MAX_FAULTS = MAX_DETAILS + 1;
/** Maximum UTF-16 code units of all field names in a body together, including unknown fields. */
const MAX_NAME_UNITS = 100_000;
/** Maximum number of characters in texts whose schema states no maximum: ids, times, URLs and patterns. */
const MAX_UNSIZED_LENGTH = 5000;
/** Maximum UTF-16 code units per character, by which limits in characters become limits in code units. */
const MAX_UNITS_PER_CHARACTER = 2;

/**
 * Derives the limits of a body from its schema, and adds enough that validation still finds as many errors as a
 * response lists. A schema with a free-form object has no limits.
 */
export function schemaLimits(schema: TSchema): JsonBounds {
  const { values, units } = computeSchemaLimits(schema);
  return { values: values + MAX_FAULTS, units: units + MAX_NAME_UNITS };
}

function computeSchemaLimits(schema: TSchema): JsonBounds {
  if (mayBe(schema, 'object') && schema['additionalProperties'] !== false)
    return { values: Infinity, units: Infinity };
  const { items, maxItems = Infinity, maxLength = MAX_UNSIZED_LENGTH } = schema as SizedSchema;
  const bounds = { values: 1, units: mayBe(schema, 'string') ? maxLength * MAX_UNITS_PER_CHARACTER : 0 };
  const addBounds = ({ values, units }: JsonBounds, times = 1) => {
    bounds.values += values * times;
    bounds.units += units * times;
  };
  if (items) addBounds(computeSchemaLimits(items), maxItems);
  for (const property of Object.values((schema['properties'] ?? {}) as Record<string, TSchema>))
    addBounds(computeSchemaLimits(property));
  return bounds;
}

type SizedSchema = TSchema & { items?: TSchema; maxItems?: number; maxLength?: number };

function mayBe({ type }: TSchema, name: string): boolean {
  return [type].flat().includes(name);
}

/**
 * Truncates a body's values to slightly more than their schema permits. Validation still refuses the
 * truncated values, but takes less time. Valid values stay unchanged.
 */
export function truncateToSchema(value: unknown, schema: TSchema): unknown {
  return new ValueCutter().cut(value, schema);
}

class ValueCutter {
  #unknownKeys = 0;

  cut(value: unknown, schema: TSchema): unknown {
    if (typeof value === 'string') return cutString(value, schema);
    if (Array.isArray(value)) this.#cutList(value, schema);
    else if (typeof value === 'object' && value !== null) return this.#cutObject(value, schema);
    return value;
  }

  #cutObject(object: object, schema: TSchema): object {
    const cut = truncateFreeForm(object, schema);
    if (schema['properties']) this.#cutKeys(cut as Record<string, unknown>, schema);
    return cut;
  }

  #cutList(list: unknown[], { items, maxItems }: SizedSchema): void {
    if (maxItems !== undefined && list.length > maxItems) list.length = maxItems + 1;
    if (!items) return;
    for (const [index, item] of list.entries()) list[index] = this.cut(item, items);
  }

  #cutKeys(object: Record<string, unknown>, { properties, additionalProperties }: TSchema): void {
    const declared = properties as Properties;
    for (const key of Object.keys(object)) {
      const property = findDeclared(declared, key);
      if (property) object[key] = this.cut(object[key], property);
      else if (additionalProperties === false && (this.#unknownKeys += 1) > MAX_FAULTS) delete object[key];
    }
  }
}

/** Truncates a free-form object to one key or value more than permitted. */
function truncateFreeForm(object: object, schema: TSchema): object {
  const { properties = {} } = schema as { properties?: Properties };
  const max = schema[MAX_VALUES_KEYWORD] as number | undefined;
  if (max !== undefined && countValues(object, max) > max) return cutValues(object, max + 1);
  return schema[FREE_FORM_KEYWORD] ? cutFreeForm(object, properties) : object;
}

function findDeclared(properties: Properties = {}, key: string): TSchema | undefined {
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function cutString(text: string, schema: TSchema): string {
  const { maxLength = MAX_UNSIZED_LENGTH } = schema as SizedSchema;
  const isBounded = ['maxLength', 'format', 'pattern', 'enum'].some((rule) => rule in schema);
  const max = (maxLength + 1) * MAX_UNITS_PER_CHARACTER;
  return isBounded && text.length > max ? cutText(text, max) : text;
}

/** Schema rules whose violation is ignored in a truncated body, since truncation may be the reason. */
const IGNORED_RULES_IF_TRUNCATED = new Set([
  'required',
  'minItems',
  'minLength',
  'pattern',
  'format',
  'enum',
]);

/** Validates the beginning of a body that exceeds its limits. Returns at least one error. */
export function validateTruncated(value: unknown, schema: TSchema, check: Check): ErrorDetail[] {
  const path = shortenPath(findLastDeclaredPath(value, schema));
  const faults = check(value).filter(({ code }) => !IGNORED_RULES_IF_TRUNCATED.has(code));
  if (faults.length > 0) return faults;
  const message = 'makes the body larger than the maximum';
  return [{ field: formatFieldPath(path), path, in: 'body', code: 'maxValues', message }];
}

/**
 * Returns the path of the last value before the truncation, up to the last field that the schema declares.
 */
function findLastDeclaredPath(value: unknown, schema: TSchema, path: FieldPath = []): FieldPath {
  const { items, properties } = schema as { items?: TSchema; properties?: Properties };
  if (typeof value !== 'object' || value === null) return path;
  const step = Array.isArray(value) ? value.length - 1 : Object.keys(value).at(-1);
  if (step === undefined) return path;
  const inner = typeof step === 'number' ? items : findDeclared(properties, step);
  return inner
    ? findLastDeclaredPath((value as Record<string | number, unknown>)[step], inner, [...path, step])
    : path;
}
