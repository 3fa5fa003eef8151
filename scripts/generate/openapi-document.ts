import { withCodeSamples } from '../../api/http/openapi/code-samples.ts';
import { buildOpenApi } from '../../api/http/openapi/openapi.ts';
import { operations } from '../../api/registry.ts';
import { shippedVersions } from '../../core/api-versions.ts';
import { projectRoot } from '../launcher/project-root.ts';

const BASE_URL = 'http://localhost:3000';

/** The document of all operations in a version, for a server on its default address. */
export function openApiDocument(version = shippedVersions.current): string {
  return textOf(buildOpenApi(operations, BASE_URL, shippedVersions, version));
}

/** openapi.json at the root: the same of the current version, with samples. */
export function publishedDocument(): string {
  return textOf(withCodeSamples(buildOpenApi(operations, BASE_URL), BASE_URL));
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

export const releasesFolder = new URL('docs/releases/', projectRoot());

/** Where the document of a version is kept as it was when Parley was released last. */
export function releasedDocument(version: string): URL {
  return new URL(`openapi-${version}.json`, releasesFolder);
}
