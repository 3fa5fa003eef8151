import type { TSchema, TString } from '@sinclair/typebox';
import type { ResourceKind } from '../../../services/requests/resource-kind.ts';
import { Uuid } from './schemas.ts';

/**
 * Property of a parameter's schema with the kind of resource whose id the parameter contains. A symbol does
 * not appear in the API's document, but survives `Type.Optional`.
 */
const KIND = Symbol('kind of the named resource');

export interface NamedResource {
  parameter: string;
  kind: ResourceKind;
}

/**
 * Declares a query parameter with the id of a resource. The engine refuses ids that are unknown or of another
 * workspace, before the handler runs.
 */
export function ResourceId(kind: ResourceKind, description: string): TString {
  return { ...Uuid(description), [KIND]: kind };
}

/** Lists the query parameters that were declared by `ResourceId`. */
export function listNamedResources(query: TSchema | undefined): NamedResource[] {
  const properties = Object.entries(
    (query?.['properties'] ?? {}) as Record<string, { [KIND]?: ResourceKind }>,
  );
  return properties.flatMap(([parameter, { [KIND]: kind }]) => (kind ? [{ parameter, kind }] : []));
}
