import type { TSchema, TString } from '@sinclair/typebox';
import type { ResourceKind } from '../../../services/requests/resource-kind.ts';
import { Uuid } from './schemas.ts';

/** A symbol is omitted from the API's document, and preserved by `Type.Optional`. */
const KIND = Symbol('kind of the named resource');

export interface NamedResource {
  parameter: string;
  kind: ResourceKind;
}

/**
 * Declares the id of a resource in a query. The engine refuses unknown ids and those of other workspaces before the
 * handler runs.
 */
export function ResourceId(kind: ResourceKind, description: string): TString {
  return { ...Uuid(description), [KIND]: kind };
}

/** Lists the parameters of a query that name resources by `ResourceId`. */
export function listNamedResources(query: TSchema | undefined): NamedResource[] {
  const properties = Object.entries(
    (query?.['properties'] ?? {}) as Record<string, { [KIND]?: ResourceKind }>,
  );
  return properties.flatMap(([parameter, { [KIND]: kind }]) => (kind ? [{ parameter, kind }] : []));
}
