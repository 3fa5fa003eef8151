import type { TSchema } from '@sinclair/typebox';
import { isPublicFacing } from './access/principal.ts';
import { isContentSpec, type Operation } from './operation.ts';
import { findLinkParameters, parameterNames } from './openapi/openapi-links.ts';

/** The GET operation that returns a resource which another operation creates. */
interface CreatedResource {
  /** Path of the GET. */
  path: string;
  /** Field of the creation's response whose value is the last parameter of the path. */
  field: string;
}

/**
 * Finds the GET of the resource that an operation creates with 201; undefined if no such GET exists. The GET
 * has the path of an item of the same collection, or the same response schema.
 */
export function findCreatedResource(
  operation: Operation,
  all: readonly Operation[],
): CreatedResource | undefined {
  if (operation.success.status !== 201) return undefined;
  const operationParameters = parameterNames(operation.path);
  for (const { method, path, success, auth } of all) {
    const names = parameterNames(path);
    const last = names.at(-1);
    if (method !== 'GET' || last === undefined || !path.endsWith(`/{${last}}`)) continue;
    if (isPublicFacing(auth) !== isPublicFacing(operation.auth)) continue;
    const parameters = operation.method === 'POST' ? findLinkParameters(operation, path) : null;
    const [, field] = /^\$response\.body#\/(.+)$/.exec(parameters?.[last] ?? '') ?? [];
    if (field === 'id' || (field && isSameCollection(operation.path, path))) return { path, field };
    const areOthersKnown = names.slice(0, -1).every((name) => operationParameters.includes(name));
    const schema = schemaName(success.spec);
    if (areOthersKnown && schema !== undefined && schema === schemaName(operation.success.spec))
      return { path, field: last in schemaFields(success.spec) ? last : 'id' };
  }
  return undefined;
}

/**
 * Compiles a function that builds the Location header for the resource that an operation creates; undefined
 * if the resource has no GET.
 */
export function compileLocation(operation: Operation, all: readonly Operation[]) {
  const created = findCreatedResource(operation, all);
  if (!created) return undefined;
  const { path, field } = created;
  const segments = operation.path.split('/');
  const last = parameterNames(path).at(-1);
  return (requested: string, json: string): string => {
    const requestedSegments = requested.split('/');
    const id = String((JSON.parse(json) as Record<string, unknown>)[field]);
    return path.replaceAll(/\{(\w+)\}/g, (parameter, name: string) =>
      name === last ? encodeURIComponent(id) : (requestedSegments[segments.indexOf(parameter)] ?? ''),
    );
  };
}

/** Returns whether an item's path, such as `/public/sessions/{id}`, and a collection's path name one collection. */
function isSameCollection(source: string, item: string): boolean {
  return source.split('/').at(-1) === item.split('/').at(-2);
}

function schemaFields(spec: Operation['success']['spec']): object {
  return isContentSpec(spec) ? {} : ((spec['properties'] ?? {}) as object);
}

function schemaName(spec: Operation['success']['spec']): string | undefined {
  return isContentSpec(spec) ? undefined : (spec as TSchema).$id;
}
