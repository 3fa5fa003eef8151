import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { withCodeSamples } from '../../api/http/openapi/code-samples.ts';
import { buildOpenApi } from '../../api/http/openapi/openapi.ts';
import type { Operation } from '../../api/http/operation.ts';
import { coreOperations, extensionOperations, operations } from '../../api/registry.ts';
import { shippedVersions } from '../../core/api-versions.ts';
import { projectRoot } from '../launcher/project-root.ts';

const BASE_URL = 'http://localhost:3000';

/**
 * Returns the OpenAPI document of an API version with Parley's extensions, as JSON. The document names the
 * server's default URL.
 */
export function renderOpenApiDocument(version = shippedVersions.current): string {
  return toJsonText(buildOpenApi(operations, BASE_URL, shippedVersions, version));
}

/** Operations of each OpenAPI document that Parley publishes, by the name of its file. */
export const publishedDocuments: Readonly<Record<string, readonly Operation[]>> = {
  'openapi.json': coreOperations,
  'openapi.ext.json': extensionOperations,
};

/** Returns the OpenAPI document of the given operations in the current API version with code samples, as JSON. */
export function renderPublishedDocument(documented: readonly Operation[]): string {
  return toJsonText(withCodeSamples(buildOpenApi(documented, BASE_URL), BASE_URL));
}

function toJsonText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * Folder with the OpenAPI document of each API version at its last release. The files are compressed, because
 * people do not read them there.
 */
const releases = new URL('docs/releases/', projectRoot());
const RELEASED = /^openapi-(.*)\.json\.gz$/;

/** Lists the API versions of which a released OpenAPI document is stored. */
export function listReleased(): string[] {
  if (!existsSync(releases)) return [];
  return readdirSync(releases).flatMap((name) => RELEASED.exec(name)?.[1] ?? []);
}

/** Returns the OpenAPI document of a released API version. */
export function readReleased(version: string): string {
  return gunzipSync(readFileSync(releaseFile(version))).toString();
}

export function writeReleased(version: string, document: string): void {
  mkdirSync(releases, { recursive: true });
  writeFileSync(releaseFile(version), gzipSync(document, { level: 9 }));
}

function releaseFile(version: string): URL {
  return new URL(`openapi-${version}.json.gz`, releases);
}
