import { buildOpenApi } from '../../api/http/openapi/openapi.ts';
import { operations } from '../../api/registry.ts';
import { shippedVersions } from '../../core/api-versions.ts';
import { projectRoot } from '../launcher/project-root.ts';

/** openapi.json at the root: the document of all operations in a version, for a server on its default address. */
export function openApiDocument(version = shippedVersions.current): string {
  return `${JSON.stringify(buildOpenApi(operations, 'http://localhost:3000', shippedVersions, version), null, 2)}\n`;
}

export const releasesFolder = new URL('docs/releases/', projectRoot());

/** Where the document of a version is kept as it was when Parley was released last. */
export function releasedDocument(version: string): URL {
  return new URL(`openapi-${version}.json`, releasesFolder);
}
