import type { TSchema } from '@sinclair/typebox';
import { isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';
import { buildExample } from '../../api/http/openapi/schema-example.ts';
import type { KnownFields } from './known-fields.ts';

/** A request body within its operation's size limit, built to cost as much as possible. */
export interface HostileShape {
  name: string;
  /** Builds the body on demand, since all bodies together do not fit into memory. */
  build(): { contentType: string; body: Buffer };
}

const PLACE = '@place@';
const number = (): string => '1';
/** Builds a member of a JSON object from its number; members repeat until the size limit is reached. */
const keys = (index: number): string => `"k${index}":1`;
/** Builds members of a JSON object with keys whose hashes collide. */
const numericKeys = (index: number): string => `"${(index * 131_072) % 9_999_991}":1`;
const longKeys = (index: number): string => `"${'x'.repeat(800)}${index}":1`;

/**
 * Builds request bodies for one operation: an oversized value in each list, object and text of its body.
 * @param known fields that need no further test
 */
export function buildOperationShapes(
  operation: Operation,
  valid: object,
  known: KnownFields,
): HostileShape[] {
  const { body, maxBodyBytes: limit } = operation;
  if (!body || isMultipart(body) || isRaw(body)) return [];
  const places = findOversizePlaces(body, valid).filter(
    ({ field, schema }) => !known.addAndCheck(field, schema),
  );
  return [
    createJsonShape('unknown keys', limit, () =>
      fillTemplate(JSON.stringify({ ...valid, [PLACE]: 1 }).replace(`"${PLACE}":1`, PLACE), keys, limit),
    ),
    ...places.flatMap(({ field, schema, around }) => {
      const template = JSON.stringify(around(PLACE));
      const shape = (name: string, open: string, item: (index: number) => string, close: string) =>
        createJsonShape(`${field}: ${name}`, limit, () =>
          fillTemplate(
            template.replace(`"${PLACE}"`, () => `${open}${PLACE}${close}`),
            item,
            limit,
          ),
        );
      const kinds = [schema['type']].flat();
      return [
        ...(kinds.includes('array') ? [shape('numbers', '[', number, ']')] : []),
        ...(kinds.includes('object')
          ? [shape('keys', '{', keys, '}'), shape('numeric keys', '{', numericKeys, '}')]
          : []),
        ...(kinds.includes('string')
          ? [createJsonShape(`${field}: text`, limit, () => fillText(template, limit))]
          : []),
      ];
    }),
  ];
}

/** Builds request bodies that cost the same for every operation. */
export function buildGeneralShapes({ maxBodyBytes: limit }: Operation): HostileShape[] {
  const repeatToLimit = (open: string, text: string, close: string) =>
    open + text.repeat((limit - open.length - close.length) / Buffer.byteLength(text)) + close;
  const shapes: Record<string, () => string> = {
    'a list of numbers': () => fillTemplate(`[${PLACE}]`, number, limit),
    'a list of lists': () => fillTemplate(`[${PLACE}]`, () => '[]', limit),
    keys: () => fillTemplate(`{${PLACE}}`, keys, limit),
    'numeric keys': () => fillTemplate(`{${PLACE}}`, numericKeys, limit),
    'long keys': () => fillTemplate(`{${PLACE}}`, longKeys, limit),
    'one key many times': () => fillTemplate(`{${PLACE}}`, () => '"name":1', limit),
    'one long key': () => repeatToLimit('{"', 'a', '":1}'),
    'one long key that is escaped': () => repeatToLimit('{"', '~/%', '":1}'),
    'half characters in keys': () => fillTemplate(`{${PLACE}}`, (index) => `"\\ud800${index}":1`, limit),
    depth: () => '{"a":'.repeat(limit / 6) + '1' + '}'.repeat(limit / 6),
    'lists of depth': () => '['.repeat(limit),
    'a long number': () => '1'.repeat(limit),
    blanks: () => repeatToLimit('', ' ', '1'),
    escapes: () => repeatToLimit('{"name":"', '\\u6f22', '"}'),
    quotes: () => repeatToLimit('{"name":"', '\\"', '"}'),
    ideographs: () => repeatToLimit('{"name":"', '漢', '"}'),
    pairs: () => repeatToLimit('{"name":"', '😀', '"}'),
  };
  return Object.entries(shapes).map(([name, build]) => createJsonShape(name, limit, build));
}

/** Number of characters that fit into the form parser's limit for a part's headers. */
const LONG_NAME = 75_000;

/** Builds multipart forms of many parts, fields or headers, or with a long boundary. */
export function buildFormShapes(limit: number): HostileShape[] {
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n`;
  const form = (name: string, build: () => string, boundary = 'b'): HostileShape => ({
    name,
    build: () => ({
      contentType: `multipart/form-data; boundary=${boundary}`,
      body: Buffer.from(build()),
    }),
  });
  const many = (text: string) => text.repeat(limit / text.length);
  return [
    form('parts', () => `${many(part('a'))}--b--\r\n`),
    form('files', () => `${many(part('file"; filename="a.txt'))}--b--\r\n`),
    form('headers of a part', () => `--b\r\n${many('A: b\r\n')}\r\n\r\n--b--\r\n`),
    form(
      'a long header',
      () => `--b\r\nContent-Disposition: form-data; name="${many('a\\"')}"\r\n\r\n\r\n--b--\r\n`,
    ),
    form('a long name', () => `${part('a'.repeat(limit / 2))}--b--\r\n`),
    ...['\u0301\u0334', 'a', '/', '\\"', '%CC%81'].map((text) =>
      form(
        `a file name full of ${JSON.stringify(text)}`,
        () => `${part(`file"; filename="${text.repeat(LONG_NAME / text.length)}`)}--b--\r\n`,
      ),
    ),
    form(
      'an encoded file name',
      () => `${part(`file"; filename*=UTF-8''${'%CC%81'.repeat(LONG_NAME / 6)}; a="`)}--b--\r\n`,
    ),
    form('parameters of a part', () => `${part(`file"${'; a="b"'.repeat(LONG_NAME / 7)}; c="`)}--b--\r\n`),
    form('almost short boundaries', () => many(`\r\n--${'a'.repeat(69)}b`), 'a'.repeat(70)),
    form('almost boundaries', () => many(`\r\n--${'a'.repeat(4000)}b`), 'a'.repeat(8000)),
  ];
}

interface Place {
  field: string;
  schema: TSchema;
  around(value: unknown): unknown;
}

/**
 * Returns the places in a body to oversize: the lists, the objects and the first text, which represents the
 * other texts.
 */
function findOversizePlaces(root: TSchema, valid: object): Place[] {
  const found = findNestedPlaces({ field: '', schema: root, around: (value) => value }, valid);
  const isText = ({ schema }: Place) => [schema['type']].flat().includes('string');
  return [...found.filter((place) => !isText(place)), ...found.filter(isText).slice(0, 1)];
}

function findNestedPlaces({ field, schema, around }: Place, base: object = {}): Place[] {
  return Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>).flatMap(
    ([name, property]) => {
      const place: Place = {
        field: field ? `${field}.${name}` : name,
        schema: property,
        around: (value) => around({ ...base, [name]: value }),
      };
      const items = property['items'] as TSchema | undefined;
      const item: Place[] = items
        ? findNestedPlaces({
            field: `${place.field}[0]`,
            schema: items,
            around: (value) => place.around([value]),
          })
        : [];
      return [place, ...findNestedPlaces(place), ...item];
    },
  );
}

/** Fills the template of a body with as many items as the size limit allows. */
function fillTemplate(template: string, item: (index: number) => string, limit: number): string {
  const spareLength = limit - template.length + PLACE.length - 1;
  const items = joinItems(item, limit);
  const end = items.length <= spareLength ? items.length : items.lastIndexOf(',', spareLength);
  return template.replace(PLACE, () => items.slice(0, Math.max(end, 0)));
}

const joinedItems = new Map<(index: number) => string, string>();

/**
 * Joins items up to a length. An item contains no comma. Results are cached, since hundreds of shapes use the
 * same items.
 */
function joinItems(item: (index: number) => string, length: number): string {
  const known = joinedItems.get(item);
  if (known !== undefined && known.length >= length) return known;
  const items: string[] = [];
  for (let index = 0, made = 0; made < length; index += 1) {
    const next = item(index);
    items.push(next);
    made += next.length + 1;
  }
  const text = items.join(',');
  joinedItems.set(item, text);
  return text;
}

function fillText(template: string, limit: number): string {
  return template.replace(PLACE, () => 'a'.repeat(limit - template.length));
}

function createJsonShape(name: string, limit: number, build: () => string): HostileShape {
  return {
    name,
    build: () => {
      const body = Buffer.from(build());
      if (body.length > limit) throw new Error(`${name} has ${body.length} bytes, which are too many.`);
      return { contentType: 'application/json', body };
    },
  };
}

/** Minimum length of a hostile value in characters: shorter values cost too little to test. */
const WORTH_TRYING = 5000;
/** Characters that are long when encoded or stored, and combining marks, which are expensive to normalize. */
const wide = [
  { character: '😀', bytes: 4 },
  { character: '\u0001', bytes: 6 },
  { character: '\u0301\u0334', bytes: 2 },
];

/** Builds request bodies as long as the schema and the size limit allow: each field alone, and all of them. */
export function buildFullestShapes({ body, maxBodyBytes: limit }: Operation, valid: object): HostileShape[] {
  if (!body || isMultipart(body) || isRaw(body)) return [];
  const properties = Object.entries((body['properties'] ?? {}) as Record<string, TSchema>);
  const size = (fields: [string, TSchema][]) =>
    fields.reduce((sum, [, schema]) => sum + estimateCharacters(schema), 0);
  return wide.flatMap(({ character, bytes }) =>
    [...properties.map((property) => [property]), properties]
      .filter((fields) => size(fields) > WORTH_TRYING && size(fields) * bytes < limit)
      .map((fields) =>
        createJsonShape(
          `${fields.map(([name]) => name).join(', ')} full of ${JSON.stringify(character)}`,
          limit,
          () =>
            JSON.stringify({
              ...valid,
              ...Object.fromEntries(
                fields.map(([name, schema]) => [name, buildFullestValue(schema, character)]),
              ),
            }),
        ),
      ),
  );
}

/** Estimates the number of characters in the longest value that a schema allows. */
function estimateCharacters(schema: TSchema): number {
  const { maxLength = 0, maxItems = 0, items, properties } = schema as TSchema & Record<string, never>;
  if (items) return maxItems * estimateCharacters(items);
  if (!properties) return isOpenObject(schema) ? FREE_KEYS * 10 : maxLength;
  const parts = Object.entries(properties as Record<string, TSchema>);
  return parts.reduce((sum, [name, part]) => sum + name.length + estimateCharacters(part), 0);
}

function isOpenObject({ type, properties }: TSchema): boolean {
  return [type].flat().includes('object') && !properties;
}

const FREE_KEYS = 2000;

function buildFullestValue(schema: TSchema, character: string): unknown {
  const kinds = [schema['type']].flat();
  const values = schema['enum'] as unknown[] | undefined;
  if (values) return values[0];
  if (kinds.includes('array')) {
    const items = schema['items'] as TSchema;
    return Array.from({ length: schema['maxItems'] as number }, () => buildFullestValue(items, character));
  }
  if (kinds.includes('object')) {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>);
    if (isOpenObject(schema))
      return Object.fromEntries(Array.from({ length: FREE_KEYS }, (_, index) => [`k${index}`, character]));
    return Object.fromEntries(
      properties.map(([name, property]) => [name, buildFullestValue(property, character)]),
    );
  }
  if (!kinds.includes('string') || schema['format'] || schema['pattern'])
    return buildExample(schema, 'request');
  const length = (schema['maxLength'] as number | undefined) ?? 1;
  return character.repeat(Math.floor(length / [...character].length));
}
