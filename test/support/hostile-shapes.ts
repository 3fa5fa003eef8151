import type { TSchema } from '@sinclair/typebox';
import { isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';
import { exampleOf } from '../../api/http/openapi/schema-example.ts';
import type { KnownFields } from './known-fields.ts';

/** A body as its operation's limit allows it, made to cost as much as it can. */
export interface HostileShape {
  name: string;
  /** Made when it is asked for: all of them do not fit into memory. */
  build(): { contentType: string; body: Buffer };
}

const PLACE = '@place@';
const number = (): string => '1';
/** Made from their number, and repeated until the limit is reached. */
const keys = (index: number): string => `"k${index}":1`;
/** In the table of strings they fall on each other. */
const numericKeys = (index: number): string => `"${(index * 131_072) % 9_999_991}":1`;
const longKeys = (index: number): string => `"${'x'.repeat(800)}${index}":1`;

/**
 * What is made for one operation: something too long in each place of its body that takes lists, objects and texts.
 * @param known places that need not be tried again
 */
export function shapesOf(operation: Operation, valid: object, known: KnownFields): HostileShape[] {
  const { body, maxBodyBytes: limit } = operation;
  if (!body || isMultipart(body) || isRaw(body)) return [];
  const places = placesIn(body, valid).filter(({ field, schema }) => !known.has(field, schema));
  return [
    json('unknown keys', limit, () =>
      filled(JSON.stringify({ ...valid, [PLACE]: 1 }).replace(`"${PLACE}":1`, PLACE), keys, limit),
    ),
    ...places.flatMap(({ field, schema, around }) => {
      const template = JSON.stringify(around(PLACE));
      const shape = (name: string, open: string, item: (index: number) => string, close: string) =>
        json(`${field}: ${name}`, limit, () =>
          filled(
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
        ...(kinds.includes('string') ? [json(`${field}: text`, limit, () => long(template, limit))] : []),
      ];
    }),
  ];
}

/** What costs the same whatever the operation. */
export function generalShapesOf({ maxBodyBytes: limit }: Operation): HostileShape[] {
  const repeated = (open: string, text: string, close: string) =>
    open + text.repeat((limit - open.length - close.length) / Buffer.byteLength(text)) + close;
  const shapes: Record<string, () => string> = {
    'a list of numbers': () => filled(`[${PLACE}]`, number, limit),
    'a list of lists': () => filled(`[${PLACE}]`, () => '[]', limit),
    keys: () => filled(`{${PLACE}}`, keys, limit),
    'numeric keys': () => filled(`{${PLACE}}`, numericKeys, limit),
    'long keys': () => filled(`{${PLACE}}`, longKeys, limit),
    'one key many times': () => filled(`{${PLACE}}`, () => '"name":1', limit),
    'one long key': () => repeated('{"', 'a', '":1}'),
    'one long key that is escaped': () => repeated('{"', '~/%', '":1}'),
    'half characters in keys': () => filled(`{${PLACE}}`, (index) => `"\\ud800${index}":1`, limit),
    depth: () => '{"a":'.repeat(limit / 6) + '1' + '}'.repeat(limit / 6),
    'lists of depth': () => '['.repeat(limit),
    'a long number': () => '1'.repeat(limit),
    blanks: () => repeated('', ' ', '1'),
    escapes: () => repeated('{"name":"', '\\u6f22', '"}'),
    quotes: () => repeated('{"name":"', '\\"', '"}'),
    ideographs: () => repeated('{"name":"', '漢', '"}'),
    pairs: () => repeated('{"name":"', '😀', '"}'),
  };
  return Object.entries(shapes).map(([name, build]) => json(name, limit, build));
}

/** Below what the parser takes for the headers of a part. */
const LONG_NAME = 75_000;

/** Forms of many parts, many fields, many headers, and with a boundary that is long. */
export function formShapes(limit: number): HostileShape[] {
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

/** Lists, objects and the first texts: what is true of one short text is true of the next. */
function placesIn(root: TSchema, valid: object): Place[] {
  const found = inside({ field: '', schema: root, around: (value) => value }, valid);
  const isText = ({ schema }: Place) => [schema['type']].flat().includes('string');
  return [...found.filter((place) => !isText(place)), ...found.filter(isText).slice(0, 1)];
}

function inside({ field, schema, around }: Place, base: object = {}): Place[] {
  return Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>).flatMap(
    ([name, property]) => {
      const place: Place = {
        field: field ? `${field}.${name}` : name,
        schema: property,
        around: (value) => around({ ...base, [name]: value }),
      };
      const items = property['items'] as TSchema | undefined;
      const item: Place[] = items
        ? inside({ field: `${place.field}[0]`, schema: items, around: (value) => place.around([value]) })
        : [];
      return [place, ...inside(place), ...item];
    },
  );
}

/** The template with as many items as there is room for. */
function filled(template: string, item: (index: number) => string, limit: number): string {
  const room = limit - template.length + PLACE.length - 1;
  const items = itemsOf(item, limit);
  const end = items.length <= room ? items.length : items.lastIndexOf(',', room);
  return template.replace(PLACE, () => items.slice(0, Math.max(end, 0)));
}

const madeItems = new Map<(index: number) => string, string>();

/** Items that are at least so long together, none of them with a comma. They are made once: hundreds of shapes are made from them. */
function itemsOf(item: (index: number) => string, length: number): string {
  const known = madeItems.get(item);
  if (known !== undefined && known.length >= length) return known;
  const items: string[] = [];
  for (let index = 0, made = 0; made < length; index += 1) {
    const next = item(index);
    items.push(next);
    made += next.length + 1;
  }
  const text = items.join(',');
  madeItems.set(item, text);
  return text;
}

function long(template: string, limit: number): string {
  return template.replace(PLACE, () => 'a'.repeat(limit - template.length));
}

function json(name: string, limit: number, build: () => string): HostileShape {
  return {
    name,
    build: () => {
      const body = Buffer.from(build());
      if (body.length > limit) throw new Error(`${name} has ${body.length} bytes, which are too many.`);
      return { contentType: 'application/json', body };
    },
  };
}

/** Below that a value is no work. */
const WORTH_TRYING = 5000;
/** Characters that are long as they are sent, or as they are kept; and marks, which are dear to sort. */
const wide = [
  { character: '😀', bytes: 4 },
  { character: '\u0001', bytes: 6 },
  { character: '\u0301\u0334', bytes: 2 },
];

/** What an operation accepts, as long as its schema and its limit allow: each field alone, and all of them. */
export function fullestShapes({ body, maxBodyBytes: limit }: Operation, valid: object): HostileShape[] {
  if (!body || isMultipart(body) || isRaw(body)) return [];
  const properties = Object.entries((body['properties'] ?? {}) as Record<string, TSchema>);
  const size = (fields: [string, TSchema][]) =>
    fields.reduce((sum, [, schema]) => sum + charactersOf(schema), 0);
  return wide.flatMap(({ character, bytes }) =>
    [...properties.map((property) => [property]), properties]
      .filter((fields) => size(fields) > WORTH_TRYING && size(fields) * bytes < limit)
      .map((fields) =>
        json(`${fields.map(([name]) => name).join(', ')} full of ${JSON.stringify(character)}`, limit, () =>
          JSON.stringify({
            ...valid,
            ...Object.fromEntries(fields.map(([name, schema]) => [name, fullest(schema, character)])),
          }),
        ),
      ),
  );
}

/** About how long the fullest value is. */
function charactersOf(schema: TSchema): number {
  const { maxLength = 0, maxItems = 0, items, properties } = schema as TSchema & Record<string, never>;
  if (items) return maxItems * charactersOf(items);
  if (!properties) return isFree(schema) ? FREE_KEYS * 10 : maxLength;
  const parts = Object.entries(properties as Record<string, TSchema>);
  return parts.reduce((sum, [name, part]) => sum + name.length + charactersOf(part), 0);
}

function isFree({ type, properties }: TSchema): boolean {
  return [type].flat().includes('object') && !properties;
}

const FREE_KEYS = 2000;

function fullest(schema: TSchema, character: string): unknown {
  const kinds = [schema['type']].flat();
  const values = schema['enum'] as unknown[] | undefined;
  if (values) return values[0];
  if (kinds.includes('array')) {
    const items = schema['items'] as TSchema;
    return Array.from({ length: schema['maxItems'] as number }, () => fullest(items, character));
  }
  if (kinds.includes('object')) {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>);
    if (isFree(schema))
      return Object.fromEntries(Array.from({ length: FREE_KEYS }, (_, index) => [`k${index}`, character]));
    return Object.fromEntries(properties.map(([name, property]) => [name, fullest(property, character)]));
  }
  if (!kinds.includes('string') || schema['format'] || schema['pattern']) return exampleOf(schema, 'request');
  const length = (schema['maxLength'] as number | undefined) ?? 1;
  return character.repeat(Math.floor(length / [...character].length));
}
