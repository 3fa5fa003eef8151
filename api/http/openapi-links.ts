import type { TSchema } from '@sinclair/typebox';
import type { Json } from './openapi-components.ts';
import { isContentSpec, type Operation } from './operation.ts';

/**
 * OpenAPI links to the operations whose path an answer completes: of what was made to all, of the first row of a page to
 * those that read it. A parameter has the value that it had in the request, of the answer's `id` behind the path of the
 * collection, or of the field of its name.
 */
export function linksOf(operation: Operation, all: readonly Operation[]): Json {
  const fields = operation.method === 'POST' ? madeFields(operation) : listedFields(operation);
  const targets = operation.method === 'POST' ? all : all.filter(({ method }) => method === 'GET');
  const links = targets.flatMap(({ id, path, summary }) => {
    const parameters = parametersFrom(operation, fields, path);
    return parameters ? [[id, { operationId: id, parameters, description: summary }]] : [];
  });
  return Object.fromEntries(links) as Json;
}

/** What fills the parameters of a path; null when the fields do not suffice, or add nothing. */
function parametersFrom(source: Operation, fields: Map<string, string>, path: string): Json | null {
  const known = parameterNames(source.path);
  const names = parameterNames(path);
  if (names.every((name) => known.includes(name))) return null;
  const parameters: Json = {};
  for (const name of names) {
    const isItem = isItemOf(source, path, name);
    const pointer = fields.get(isItem ? 'id' : name);
    if (known.includes(name)) parameters[name] = `$request.path.${name}`;
    // An `id` by itself does not say of what.
    else if (pointer && (isItem || name !== 'id')) parameters[name] = `$response.body#${pointer}`;
    else return null;
  }
  return parameters;
}

/** `/things/{thing_id}…` for what `/things` and `POST /things/upload` answer. */
function isItemOf({ method, path: source }: Operation, path: string, name: string): boolean {
  const collection = path.slice(0, path.indexOf(`/{${name}}`));
  return source === collection || (method === 'POST' && source.replace(/\/[^/]+$/, '') === collection);
}

/** Fields of text and where they stand. */
function madeFields({ success: { spec } }: Operation): Map<string, string> {
  const fields = isContentSpec(spec) ? {} : propertiesOf(spec);
  const names = Object.keys(fields).filter((name) => fields[name]?.type === 'string');
  return new Map(names.map((name) => [name, `/${name}`]));
}

function listedFields({ success: { spec } }: Operation): Map<string, string> {
  const { items: rows } = isContentSpec(spec) ? {} : propertiesOf(spec);
  const hasId = rows !== undefined && 'id' in propertiesOf(rows['items'] as TSchema);
  return new Map(hasId ? [['id', '/items/0/id']] : []);
}

function propertiesOf(schema: TSchema): Record<string, TSchema> {
  return (schema['properties'] ?? {}) as Record<string, TSchema>;
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
