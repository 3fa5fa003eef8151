import type { TSchema } from '@sinclair/typebox';
import type { Json } from './openapi-components.ts';
import { isContentSpec, type Operation } from '../operation.ts';

/**
 * Builds OpenAPI links from an operation that creates a resource to operations on that resource. A path
 * parameter gets its value from the request's path, or from the response: the field `id` for the created
 * resource, or the field of the same name for any other parameter.
 */
export function buildLinks(operation: Operation, all: readonly Operation[]): Json {
  if (operation.method !== 'POST') return {};
  const links = all.flatMap(({ id, path, summary }) => {
    const parameters = findLinkParameters(operation, path);
    return parameters ? [[id, { operationId: id, parameters, description: summary }]] : [];
  });
  return Object.fromEntries(links) as Json;
}

/**
 * Returns the source of each parameter of a path, for an OpenAPI link. Null if a parameter's source is
 * unknown, or no parameter comes from the response.
 */
export function findLinkParameters(source: Operation, path: string): Record<string, string> | null {
  const sourceParameters = parameterNames(source.path);
  const names = parameterNames(path);
  if (names.every((name) => sourceParameters.includes(name))) return null;
  const fields = textFields(source);
  const parameters: Record<string, string> = {};
  for (const name of names) {
    const isItem = isItemPath(source.path, path, name);
    const field = isItem ? 'id' : name;
    if (sourceParameters.includes(name)) parameters[name] = `$request.path.${name}`;
    // Uses `id` only for the created resource itself, since in any other case `id` could mean another
    // resource.
    else if (fields.has(field) && (isItem || field !== 'id')) parameters[name] = `$response.body#/${field}`;
    else return null;
  }
  return parameters;
}

/**
 * Returns whether a parameter is the id of a created resource: `/things/{thing_id}…` for `/things` and
 * `/things/upload`.
 */
function isItemPath(source: string, path: string, name: string): boolean {
  const collection = path.slice(0, path.indexOf(`/{${name}}`));
  return source === collection || source.slice(0, source.lastIndexOf('/')) === collection;
}

function textFields({ success: { spec } }: Operation): Set<string> {
  const fields = isContentSpec(spec) ? {} : ((spec['properties'] ?? {}) as Record<string, TSchema>);
  return new Set(Object.keys(fields).filter((name) => fields[name]?.type === 'string'));
}

/** Returns the names of a path's parameters. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
