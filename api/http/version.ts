import { walk, type ApiVersions, type ApiVersion, type JsonObject } from '../../core/api-versions.ts';
import { deprecationHeaders } from './response/deprecation.ts';
import type { Operation } from './operation.ts';

/** Differences of an operation for callers of one version. */
export interface VersionedOperation {
  headers: Record<string, string | string[]>;
  /** Converts the body of a request to the current version. */
  upgrade(body: unknown): unknown;
  /** Converts the JSON text of a response to this version. */
  downgrade(text: string): string;
}

/** Conversions by version; the current one has none unless the operation is deprecated. */
export type VersionedOperations = ReadonlyMap<string, VersionedOperation>;

export function compileVersions(
  operation: Operation,
  versions: ApiVersions,
  baseUrl: string,
): VersionedOperations {
  const relevant = versions.all.filter(
    ({ version, deprecatedAt }) => version !== versions.current || deprecatedAt || operation.deprecated,
  );
  return new Map(
    relevant.map((version) => [
      version.version,
      {
        headers: deprecationHeaders([
          ...(operation.deprecated ? [operation.deprecated] : []),
          ...buildDeprecation(version, baseUrl),
        ]),
        ...compileSteps(operation.id, version.version, versions),
      },
    ]),
  );
}

function buildDeprecation({ deprecatedAt, sunsetAt }: ApiVersion, baseUrl: string) {
  if (deprecatedAt === null) return [];
  return [{ since: deprecatedAt, sunset: sunsetAt, link: `${baseUrl}/api/meta/versions` }];
}

function compileSteps(
  operationId: string,
  version: string,
  versions: ApiVersions,
): Pick<VersionedOperation, 'upgrade' | 'downgrade'> {
  const changes = versions
    .listChangesSince(version)
    .filter(({ operations }) => operations?.includes(operationId));
  const up = changes.flatMap(({ request }) => (request ? [request] : [])).toReversed();
  const down = changes.flatMap(({ response }) => (response ? [response] : []));
  return {
    // Bodies that are not objects fail validation unchanged.
    upgrade: (body) => (isObject(body) ? walk(body, up) : body),
    downgrade: (text) => (down.length > 0 ? JSON.stringify(walk(JSON.parse(text) as unknown, down)) : text),
  };
}

function isObject(body: unknown): body is JsonObject {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
