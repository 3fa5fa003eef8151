import type { TSchema } from '@sinclair/typebox';

export type Json = Record<string, unknown>;

/** Collects named schemas as components of the OpenAPI document, and replaces them by references. */
export class Components {
  readonly schemas: Record<string, Json> = {};

  add(schema: TSchema): void {
    this.refer(schema);
  }

  refer(schema: TSchema): Json {
    return this.#convert(JSON.parse(JSON.stringify(schema)) as Json) as Json;
  }

  #convert(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.#convert(item));
    if (typeof node !== 'object' || node === null) return node;
    const { $id, ...rest } = node as Json & { $id?: string };
    const converted = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, this.#convert(value)]),
    );
    if ($id === undefined) return converted;
    const reference = { $ref: `#/components/schemas/${$id}` };
    if (!Array.isArray(converted['type'])) {
      this.schemas[$id] = nameEvents($id, converted);
      return reference;
    }
    this.schemas[$id] ??= { ...converted, type: converted['type'][0] };
    const { description } = converted;
    return { anyOf: [reference, { type: 'null' }], ...(description !== undefined && { description }) };
  }
}

/**
 * Makes the titles of a stream's events unique in the OpenAPI document, because SDK generators derive class
 * names from titles. `x-event` has the event's name.
 */
function nameEvents(name: string, schema: Json): Json {
  const { anyOf } = schema as { anyOf?: Json[] };
  if (!anyOf?.every(({ title }) => typeof title === 'string')) return schema;
  const members = anyOf.map((member) => {
    const event = String(member['title']);
    const words = event.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    return { ...member, title: `${name}${words.join('')}`, 'x-event': event };
  });
  return { ...schema, anyOf: members };
}
