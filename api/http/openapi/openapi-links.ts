import type { TSchema } from '@sinclair/typebox';
import type { Json } from './openapi-components.ts';
import { isContentSpec, type Operation } from '../operation.ts';

/**
 * Builds OpenAPI links from an operation that creates a resource to those whose path its response completes. A
 * parameter gets its value in the request, the response's `id` after the collection's path, or the field of its
 * name.
 */
export function buildLinks(operation: Operation, all: readonly Operation[]): Json {
  if (operation.method !== 'POST') return {};
  const links = all.flatMap(({ id, path, summary }) => {
    const parameters = parametersFrom(operation, path);
    return parameters ? [[id, { operationId: id, parameters, description: summary }]] : [];
  });
  return Object.fromEntries(links) as Json;
}

/** Returns the sources of a path's parameters; null if the response lacks some, or adds nothing. */
function parametersFrom(source: Operation, path: string): Json | null {
  const known = parameterNames(source.path);
  const names = parameterNames(path);
  if (names.every((name) => known.includes(name))) return null;
  const fields = textFields(source);
  const parameters: Json = {};
  for (const name of names) {
    const isItem = isItemPath(source.path, path, name);
    const field = isItem ? 'id' : name;
    if (known.includes(name)) parameters[name] = `$request.path.${name}`;
    // An `id` alone does not identify its resource.
    else if (fields.has(field) && (isItem || field !== 'id')) parameters[name] = `$response.body#/${field}`;
    else return null;
  }
  return parameters;
}

/** Matches `/things/{thing_id}…` for resources of `/things` and `/things/upload`. */
function isItemPath(source: string, path: string, name: string): boolean {
  const collection = path.slice(0, path.indexOf(`/{${name}}`));
  return source === collection || source.slice(0, source.lastIndexOf('/')) === collection;
}

function textFields({ success: { spec } }: Operation): Set<string> {
  const fields = isContentSpec(spec) ? {} : ((spec['properties'] ?? {}) as Record<string, TSchema>);
  return new Set(Object.keys(fields).filter((name) => fields[name]?.type === 'string'));
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
