import { applySteps, type ApiVersions, type ApiVersion, type JsonObject } from '../../core/api-versions.ts';
import { deprecationHeaders } from './response/deprecation.ts';
import type { Operation } from './operation.ts';

/** Conversions of the requests and responses of one operation for callers of one API version. */
export interface VersionedOperation {
  headers: Record<string, string | string[]>;
  /** Converts a request body from this API version to the current version. */
  upgrade(body: unknown): unknown;
  /** Converts the JSON text of a response from the current API version to this version. */
  downgrade(text: string): string;
}

/**
 * Conversions of an operation's requests and responses by API version. The current version needs an entry
 * only if the operation is deprecated.
 */
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
  const up = changes.flatMap(({ convertRequest }) => (convertRequest ? [convertRequest] : [])).toReversed();
  const down = changes.flatMap(({ convertResponse }) => (convertResponse ? [convertResponse] : []));
  return {
    // Returns a body that is not an object unchanged, since validation refuses such a body.
    upgrade: (body) => (isObject(body) ? applySteps(body, up) : body),
    downgrade: (text) =>
      down.length > 0 ? JSON.stringify(applySteps(JSON.parse(text) as unknown, down)) : text,
  };
}

function isObject(body: unknown): body is JsonObject {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
