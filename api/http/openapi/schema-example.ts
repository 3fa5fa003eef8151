import type { TSchema } from '@sinclair/typebox';
import { encodeEvent } from '../response/event-stream.ts';

/**
 * Kind of an example. One of a response has all optional properties, one of a request only those with an
 * example of their own.
 */
export type ExampleKind = 'request' | 'response';

const formats: Record<string, string> = {
  'date-time': '2026-09-03T10:15:30.000Z',
  date: '2026-09-03',
  uuid: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b',
  uri: 'https://example.com/',
  email: 'ada@example.com',
};

/** Builds an example that is valid for a schema, from the examples, defaults and limits of its parts. */
export function buildExample(schema: TSchema, kind: ExampleKind, name = 'text'): unknown {
  const {
    examples,
    anyOf,
    default: fallback,
  } = schema as { examples?: unknown[]; anyOf?: TSchema[] } & TSchema;
  const values = schema['enum'] as unknown[] | undefined;
  if (examples?.length) return examples[0];
  if (schema['const'] !== undefined) return schema['const'];
  if (anyOf?.[0]) return buildExample(anyOf[0], kind, name);
  if (fallback !== undefined && fallback !== null && !isEmpty(fallback)) return fallback;
  if (values?.length) return values[0];
  const { type } = schema as { type?: string | string[] };
  switch (String(Array.isArray(type) ? type[0] : type)) {
    case 'object':
      return objectExample(schema, kind);
    case 'array':
      return [buildExample(schema['items'] as TSchema, kind, name)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 1));
    default:
      return formats[String(schema['format'])] ?? name.replaceAll('_', ' ');
  }
}

/** Returns an example of content without a schema. */
export function contentExample(mediaType: string): string {
  if (mediaType === 'text/html')
    return '<!doctype html><title>Day passes</title><p>A day pass costs 12 euros.</p>';
  return mediaType.startsWith('text/') ? 'A day pass costs 12 euros.' : 'The bytes of a file.';
}

/** Builds an example of a stream of server-sent events, with one event of each kind in the union. */
export function eventStreamExample(schema: TSchema): string {
  const variants = (schema['anyOf'] ?? [schema]) as TSchema[];
  return variants
    .map((variant) =>
      encodeEvent({ event: String(variant.title) }, JSON.stringify(buildExample(variant, 'response'))),
    )
    .join('');
}

function objectExample(schema: TSchema, kind: ExampleKind): Record<string, unknown> {
  const required = new Set((schema['required'] ?? []) as string[]);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>);
  const shown = properties.filter(
    ([name, property]) => kind === 'response' || required.has(name) || belongsInRequestExample(property),
  );
  const chosen = shown.length > 0 ? shown : properties.slice(0, 1);
  return Object.fromEntries(chosen.map(([name, property]) => [name, buildExample(property, kind, name)]));
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
