import type { TSchema } from '@sinclair/typebox';
import { getCheckedSchema, isMultipart, type Operation } from '../../api/http/operation.ts';
import { buildExample } from '../../api/http/openapi/schema-example.ts';
import { FREE_FORM_KEYWORD, MAX_VALUES_KEYWORD } from '../../api/http/schemas/schemas.ts';
import { SINGLE_LINE_KEYWORD } from '../../core/text/single-line-schema.ts';
import type { KnownFields } from './known-fields.ts';

type Part = 'params' | 'query' | 'body';

/** A part of a request with one value that is at, or just beyond, a bound of its schema. */
export interface ValidationCase {
  part: Part;
  /** Path of the field in the request, as in `details[].field`. */
  field: string;
  /** Keyword of the schema that the value breaks or just satisfies, as in `details[].code`. */
  rule: string;
  /** Value of the whole part of the request, such as the body. */
  value: unknown;
}

export interface ValidationCases {
  refused: ValidationCase[];
  accepted: ValidationCase[];
}

/** A node of a schema, with a function that builds the part of the request (such as the body) from the node's value. */
interface Place {
  part: Part;
  field: string;
  schema: TSchema;
  isOptional: boolean;
  around(value: unknown): unknown;
}

type Trial = [rule: string, value: unknown];

/**
 * Builds cases for each field of an operation's schemas: values that they refuse, and bounds that they accept.
 * @param valid a valid body; the schema's example by default
 */
export function buildValidationCases(operation: Operation, valid?: object): ValidationCases {
  const { body } = operation;
  const isForm = body !== undefined && isMultipart(body);
  const places = findOperationPlaces(operation, valid);
  const refused = [
    ...(operation.query?.['additionalProperties'] === true
      ? []
      : [{ part: 'query' as const, field: UNKNOWN, rule: 'unknown_key', value: { [UNKNOWN]: 1 } }]),
    ...places.flatMap((place) => toCases(place, buildInvalidTrials(place))),
  ];
  return {
    // Leave out wrong types in forms, whose fields are always texts.
    refused: refused.filter(({ part, rule }) => !(isForm && part === 'body' && rule === 'type')),
    accepted: places.flatMap((place) => toCases(place, buildBoundaryTrials(place.schema))),
  };
}

/**
 * Builds test cases that put each text into each free-text field of the operation. Fields in `known` get only
 * the first and the last text.
 * @param textsFor returns texts of at most the given length
 */
export function buildTextCases(
  operation: Operation,
  valid: object | undefined,
  known: KnownFields,
  textsFor: (maxLength: number) => string[],
): ValidationCase[] {
  return findOperationPlaces(operation, valid)
    .filter(({ schema }) => [schema['type']].flat().includes('string') && !schema['enum'])
    .flatMap((place) => {
      const texts = textsFor(getMaxTextLength(place));
      const tried = known.addAndCheck(place.field, place.schema) ? [texts[0], texts.at(-1)] : texts;
      return toCases(
        place,
        tried.map((text) => ['text', text]),
      );
    });
}

/** Maximum number of characters of a test value in a URL. The server refuses longer URLs before it parses them. */
const MAX_IN_ADDRESS = 1000;
const MAX_IN_BODY = 20_000;

function getMaxTextLength({ part, schema }: Place): number {
  return Math.min(readBounds(schema).maxLength ?? Infinity, part === 'body' ? MAX_IN_BODY : MAX_IN_ADDRESS);
}

function findOperationPlaces({ auth, params, query, body }: Operation, valid?: object): Place[] {
  const bodySchema = getCheckedSchema(body);
  return [
    // Leave out the paths of visitors' operations: the token is compared with them before they are validated.
    ...(params && auth !== 'visitor' ? findPropertyPlaces(createRootPlace('params', params), {}) : []),
    ...(query ? findPropertyPlaces(createRootPlace('query', query), {}) : []),
    ...(bodySchema ? findPlaces(createRootPlace('body', bodySchema), valid) : []),
  ];
}

function createRootPlace(part: Part, schema: TSchema): Place {
  return { part, field: '', schema, isOptional: false, around: (value) => value };
}

function findPlaces(place: Place, valid?: object): Place[] {
  const { part, schema, around } = place;
  if (getSchemaType(schema) === 'object')
    return [place, ...findPropertyPlaces(place, valid ?? buildMinimalExample(schema))];
  const items = schema['items'] as TSchema | undefined;
  if (getSchemaType(schema) !== 'array' || !items) return [place];
  const filling = Array.from({ length: Number(schema['minItems'] ?? 1) - 1 }, () =>
    buildMinimalExample(items),
  );
  const item: Place = {
    part,
    field: `${place.field}[0]`,
    schema: items,
    isOptional: true,
    around: (value) => around([value, ...filling]),
  };
  return [place, ...findPlaces(item)];
}

function findPropertyPlaces({ part, field, schema, around }: Place, base: unknown): Place[] {
  const required = (schema['required'] ?? []) as string[];
  return Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>).flatMap(([name, property]) =>
    findPlaces({
      part,
      field: field ? `${field}.${name}` : name,
      schema: property,
      isOptional: !required.includes(name),
      around: (value) => around({ ...(base as object), [name]: value }),
    }),
  );
}

function toCases({ part, field, around }: Place, trials: Trial[]): ValidationCase[] {
  return trials.map(([rule, value]) => ({
    part,
    field: formatFieldName(field, rule),
    rule,
    value: around(value),
  }));
}

function formatFieldName(field: string, rule: string): string {
  if (rule === 'unknown_key') return field ? `${field}.${UNKNOWN}` : UNKNOWN;
  return field || '(body)';
}

const UNKNOWN = 'no_such_key';

function buildInvalidTrials(place: Place): Trial[] {
  const { part, schema, isOptional } = place;
  return [
    ...(part === 'body' ? buildWrongTypeTrials(schema) : buildWrongTextTrials(schema, part)),
    // Omit a required key: JSON omits keys with the value undefined.
    ...(part === 'body' && !isOptional && place.field ? ([['required', undefined]] as Trial[]) : []),
    // Leave out empty values in a path: an empty last segment would make another path.
    ...buildOutOfBoundsTrials(schema).filter(([, value]) => part !== 'params' || value !== ''),
    ...buildWrongShapeTrials(schema),
  ];
}

const samples: Record<string, unknown> = {
  null: null,
  string: 'text',
  boolean: true,
  number: 1.5,
  array: [],
  object: {},
};

function buildWrongTypeTrials(schema: TSchema): Trial[] {
  const allowed = [schema['type']].flat().map(String);
  if (schema['type'] === undefined) return [];
  return Object.entries(samples)
    .filter(([type]) => !allowed.includes(type))
    .map(([, value]) => ['type', value]);
}

/** Builds texts that cannot be parsed as the type of the parameter. In a query, each parameter may also occur twice. */
function buildWrongTextTrials(schema: TSchema, part: Part): Trial[] {
  const type = getSchemaType(schema);
  const trials: Trial[] = type === 'string' ? [] : [['type', 'text']];
  if (type === 'integer') trials.push(['type', '1.5']);
  if (part === 'query') trials.push(['type', ['1', '2']]);
  return trials;
}

function buildOutOfBoundsTrials(schema: TSchema): Trial[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = readBounds(schema);
  const trials: Trial[] = [];
  if (minLength) trials.push(['minLength', buildSchemaText(schema, minLength - 1)]);
  if (maxLength !== undefined) trials.push(['maxLength', buildSchemaText(schema, maxLength + 1)]);
  if (minimum !== undefined) trials.push(['minimum', minimum - 1]);
  if (maximum !== undefined) trials.push(['maximum', maximum + 1]);
  if (minItems) trials.push(['minItems', buildDistinctItems(schema, minItems - 1)]);
  if (maxItems !== undefined) trials.push(['maxItems', buildDistinctItems(schema, maxItems + 1)]);
  return trials;
}

function buildWrongShapeTrials(schema: TSchema): Trial[] {
  const { pattern, format, uniqueItems, additionalProperties } = schema as Record<string, unknown> & TSchema;
  const trials: Trial[] = [];
  if (typeof pattern === 'string') {
    const unfit = ['é €', '   ', '\u007f'].find((text) => !new RegExp(pattern, 'u').test(text));
    if (unfit !== undefined) trials.push(['pattern', unfit]);
  }
  if (schema[SINGLE_LINE_KEYWORD] === true)
    for (const text of ['\ntwo lines', '\u007fdelete', '\u202egnirts'])
      trials.push(['single_line', text.slice(0, readBounds(schema).maxLength)]);
  if (format !== undefined) trials.push(['format', `not a ${String(format)} at all`]);
  if (format === 'email') trials.push(...oversizedEmails.map((email): Trial => ['format', email]));
  if (schema['enum'] !== undefined)
    trials.push(['enum', getSchemaType(schema) === 'string' ? 'none of these' : -1]);
  if (uniqueItems === true) {
    const item = buildExample(schema['items'] as TSchema, 'request');
    trials.push(['uniqueItems', [item, item]]);
  }
  if (schema[FREE_FORM_KEYWORD] === true)
    for (const excess of [
      buildOwnKeys(65),
      { [UNKNOWN]: buildNestedObject(5) },
      { [UNKNOWN]: 'é'.repeat(8192) },
    ])
      trials.push(['free_form', { ...(buildMinimalExample(schema) as object), ...excess }]);
  const maxValues = schema[MAX_VALUES_KEYWORD] as number | undefined;
  if (maxValues !== undefined)
    for (const excess of [buildOwnKeys(maxValues + 1), { [UNKNOWN]: buildOwnKeys(maxValues) }])
      trials.push(['maxValues', { ...(buildMinimalExample(schema) as object), ...excess }]);
  if (additionalProperties === false) {
    trials.push(['unknown_key', { ...(buildMinimalExample(schema) as object), [UNKNOWN]: 1 }]);
  }
  return trials;
}

function buildBoundaryTrials(schema: TSchema): Trial[] {
  const { minLength = 0, maxLength, minimum, maximum, minItems = 0 } = readBounds(schema);
  const maxItems = getMaxItems(schema);
  const trials: Trial[] = [];
  if (getSchemaType(schema) === 'string' && !schema['enum'] && !schema['format'])
    trials.push(['minLength', buildSchemaText(schema, minLength)]);
  if (maxLength !== undefined)
    trials.push(['maxLength', buildSchemaText(schema, getMaxValidLength(schema, maxLength))]);
  if (minimum !== undefined) trials.push(['minimum', minimum]);
  if (maximum !== undefined) trials.push(['maximum', maximum]);
  if (maxItems !== undefined) {
    trials.push(['minItems', buildDistinctItems(schema, minItems)]);
    trials.push(['maxItems', buildDistinctItems(schema, maxItems)]);
  }
  for (const value of (schema['enum'] as unknown[] | undefined) ?? []) trials.push(['enum', value]);
  if (schema[FREE_FORM_KEYWORD] === true)
    for (const added of [buildOwnKeys(64), { [UNKNOWN]: buildNestedObject(4) }])
      trials.push(['free_form', { ...(buildMinimalExample(schema) as object), ...added }]);
  if (schema[MAX_VALUES_KEYWORD] !== undefined)
    trials.push(['maxValues', buildOwnKeys(Number(schema[MAX_VALUES_KEYWORD]))]);
  if ([schema['type']].flat().includes('null')) trials.push(['type', null]);
  return trials.filter(([, value]) => matchesPattern(schema, value));
}

function getMaxValidLength(schema: TSchema, maxLength: number): number {
  return schema['format'] === 'email' ? Math.min(maxLength, MAX_EMAIL_LENGTH) : maxLength;
}

function buildOwnKeys(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`own_${index}`, index]));
}

/** Builds nested JSON objects of this many levels. */
function buildNestedObject(levels: number): unknown {
  return levels === 0 ? 'text' : { inside: buildNestedObject(levels - 1) };
}

function matchesPattern(schema: TSchema, value: unknown): boolean {
  const pattern = schema['pattern'] as string | undefined;
  return typeof value !== 'string' || pattern === undefined || new RegExp(pattern, 'u').test(value);
}

type Bounds = Partial<
  Record<'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems', number>
>;

function readBounds(schema: TSchema): Bounds {
  return schema as Bounds;
}

function getSchemaType(schema: TSchema): string {
  return String([schema['type']].flat()[0]);
}

/**
 * Number of characters in an email address with a local part of 64 octets and a domain of 253, the limits of
 * RFC 5321.
 */
const MAX_EMAIL_LENGTH = 318;
const MAX_LOCAL_LENGTH = 64;
const MAX_LABEL_LENGTH = 63;

/** Email addresses with a part that is one octet longer than email and DNS allow. */
const oversizedEmails = [
  joinEmail(MAX_LOCAL_LENGTH + 1, 'example.com'),
  joinEmail(3, `${'a'.repeat(MAX_LABEL_LENGTH + 1)}.com`),
  joinEmail(3, `example.${'a'.repeat(MAX_LABEL_LENGTH + 1)}`),
  joinEmail(3, buildDomain(254)),
];

/** @param length number of characters in the email address, at least 5 */
function buildEmailOfLength(length: number): string {
  const local = Math.min(MAX_LOCAL_LENGTH, length - 4);
  return joinEmail(local, buildDomain(length - local - 1));
}

function joinEmail(localLength: number, domain: string): string {
  return `${'a'.repeat(localLength)}@${domain}`;
}

/**
 * Builds a domain of the given length, of labels with at most 63 letters.
 * @param length length of the domain, at least 3
 */
function buildDomain(length: number): string {
  const labels: string[] = [];
  for (let left = length; left > 0; left -= 1) {
    // Leave space for a dot and another letter, except in the last label.
    const size =
      left <= MAX_LABEL_LENGTH
        ? labels.length === 0
          ? left - 2
          : left
        : Math.min(MAX_LABEL_LENGTH, left - 2);
    labels.push('a'.repeat(size));
    left -= size;
  }
  return labels.join('.');
}

/**
 * Builds a text of the given length: a local URL if the schema's example is one, an email address if its format asks
 * for it.
 */
function buildSchemaText(schema: TSchema, length: number): string {
  if (schema['format'] === 'email' && length >= 5) return buildEmailOfLength(length);
  const [example] = (schema['examples'] ?? []) as unknown[];
  const start = isUrl(example) ? LOCAL_URL : '';
  return start.slice(0, length).padEnd(length, 'a');
}

/** Returns the largest valid number of items of a list: unique items of an enum cannot outnumber its values. */
function getMaxItems(schema: TSchema): number | undefined {
  const { maxItems } = readBounds(schema);
  const values = (schema['items'] as TSchema | undefined)?.['enum'] as unknown[] | undefined;
  return maxItems !== undefined && values ? Math.min(maxItems, values.length) : maxItems;
}

function buildDistinctItems(schema: TSchema, length: number): unknown[] {
  const items = schema['items'] as TSchema;
  return Array.from({ length }, (_, index) => buildDistinctItem(items, index));
}

/** Builds the list item number `index`, different from all others, since many lists require this. */
function buildDistinctItem(items: TSchema, index: number): unknown {
  const values = items['enum'] as unknown[] | undefined;
  if (values) return values[index % values.length];
  const value = buildMinimalExample(items);
  if (items['format'] === 'uuid') return `${String(value).slice(0, -4)}${String(index).padStart(4, '0')}`;
  if (typeof value === 'string') return `${value}${index}`;
  const { key } = value as { key?: unknown };
  return typeof key === 'string' ? { ...(value as object), key: `${key}${index}` } : value;
}

/** Builds the shortest example that a schema allows. */
function buildMinimalExample(schema: TSchema, name = 'text'): unknown {
  if (getSchemaType(schema) !== 'object') {
    const example = buildExample(schema, 'request', name);
    return isUrl(example) ? LOCAL_URL : example;
  }
  const required = (schema['required'] ?? []) as string[];
  const properties = (schema['properties'] ?? {}) as Record<string, TSchema>;
  return Object.fromEntries(required.map((each) => [each, buildMinimalExample(properties[each]!, each)]));
}

/** URL with a port on which no server listens. */
const LOCAL_URL = 'http://127.0.0.1:9/';

function isUrl(example: unknown): boolean {
  return typeof example === 'string' && example.startsWith('http');
}
