import type { TSchema } from '@sinclair/typebox';
import { encodeEvent } from '../response/event-stream.ts';
import { sampleValues } from './sample-values.ts';

/**
 * Kind of an example in the OpenAPI document. An example of a response has all optional properties; an
 * example of a request has only those with an example of their own.
 */
export type ExampleKind = 'request' | 'response';

const formats: Record<string, string> = {
  'date-time': '2026-09-03T10:15:30.000Z',
  date: '2026-09-03',
  uuid: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b',
  uri: 'https://example.com/',
  email: 'ada@example.com',
};

/** Position of a schema within an example, by which its sample value is found. */
interface SchemaPosition {
  /** Name of the field. */
  name: string;
  /** Name of the object schema to which the field belongs. */
  owner: string;
}

/**
 * Builds an example that is valid for a schema, from the examples, defaults and limits of its parts. An
 * example of a response has realistic values.
 */
export function buildExample(schema: TSchema, kind: ExampleKind, name = 'text'): unknown {
  return buildExampleAt(schema, kind, { name, owner: '' });
}

function buildExampleAt(schema: TSchema, kind: ExampleKind, place: SchemaPosition): unknown {
  const {
    examples,
    anyOf,
    default: fallback,
  } = schema as { examples?: unknown[]; anyOf?: TSchema[] } & TSchema;
  const values = schema['enum'] as unknown[] | undefined;
  if (examples?.length) return examples[0];
  if (schema['const'] !== undefined) return schema['const'];
  const sample = kind === 'response' ? findSample(schema, place) : undefined;
  if (sample !== undefined) return sample;
  if (anyOf?.[0]) return buildExampleAt(anyOf[0], kind, place);
  if (fallback !== undefined && fallback !== null && !isEmpty(fallback)) return fallback;
  if (values?.length) return values[0];
  const { type } = schema as { type?: string | string[] };
  switch (String(Array.isArray(type) ? type[0] : type)) {
    case 'object':
      return objectExample(schema, kind, place);
    case 'array':
      return [buildExampleAt(schema['items'] as TSchema, kind, place)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 1));
    default:
      return formats[String(schema['format'])] ?? place.name.replaceAll('_', ' ');
  }
}

/** Returns the sample value of a field if the field's type permits this value. */
function findSample(schema: TSchema, { name, owner }: SchemaPosition): unknown {
  return [sampleValues[`${owner}.${name}`], sampleValues[name]].find(
    (value) => value !== undefined && permits(schema, value),
  );
}

function permits(schema: TSchema, value: unknown): boolean {
  const { anyOf, format } = schema as { anyOf?: TSchema[]; format?: string } & TSchema;
  if (anyOf) return anyOf.some((each) => permits(each, value));
  const values = schema['enum'] as unknown[] | undefined;
  if (values) return values.includes(value);
  const types = [schema['type'] as string | string[]].flat();
  if (value === null) return types.includes('null');
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.includes(typeof value) && (format === undefined || !(format in formats));
}

/** Returns an example of response content that has no schema. */
export function contentExample(mediaType: string): string {
  if (mediaType === 'text/html')
    return '<!doctype html><title>Day passes</title><p>A day pass costs 12 euros.</p>';
  return mediaType.startsWith('text/') ? 'A day pass costs 12 euros.' : 'The bytes of a file.';
}

/** Builds an example of a stream of server-sent events, with one event of each kind in the schema's union. */
export function eventStreamExample(schema: TSchema): string {
  const variants = (schema['anyOf'] ?? [schema]) as TSchema[];
  return variants
    .map((variant) =>
      encodeEvent({ event: String(variant.title) }, JSON.stringify(buildExample(variant, 'response'))),
    )
    .join('');
}

function objectExample(
  schema: TSchema,
  kind: ExampleKind,
  { owner }: SchemaPosition,
): Record<string, unknown> {
  const required = new Set((schema['required'] ?? []) as string[]);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>);
  const exampleProperties = properties.filter(
    ([name, property]) => kind === 'response' || required.has(name) || belongsInRequestExample(property),
  );
  const exampleFields = exampleProperties.length > 0 ? exampleProperties : properties.slice(0, 1);
  const within = schema.$id ?? owner;
  return Object.fromEntries(
    exampleFields.map(([name, property]) => [name, buildExampleAt(property, kind, { name, owner: within })]),
  );
}

/**
 * Returns whether the example of a request includes an optional property. Omits ids, since a reader has no
 * resources with the ids of examples.
 */
function belongsInRequestExample({ examples, format }: TSchema): boolean {
  return examples !== undefined && format !== 'uuid';
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}
