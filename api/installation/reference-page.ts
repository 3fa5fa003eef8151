import type Koa from 'koa';
import type { ApiVersions } from '../../core/api-versions.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { encodeContent, sendEncoded, type EncodedContent } from '../../web/encoded-content.ts';
import { ownScriptsPolicy } from '../../web/own-scripts-policy.ts';
import { buildOpenApi } from '../http/openapi/openapi.ts';
import type { Operation } from '../http/operation.ts';
import { extensionOperations } from '../registry.ts';
import { renderReference, type ReferenceDocument } from './reference-html.ts';

const PATH = '/docs';

interface ReferenceDeps {
  settings: Pick<Settings, 'baseUrl'>;
  versions: ApiVersions;
}

/**
 * Creates the handler of /docs, the API reference of the current version. The handler returns whether it
 * served the request.
 */
export function createReferencePage(
  operations: readonly Operation[],
  deps: ReferenceDeps,
): (koa: Koa.Context) => Promise<boolean> {
  let page: Promise<EncodedContent> | undefined;
  return async (koa) => {
    if (koa.path !== PATH || (koa.method !== 'GET' && koa.method !== 'HEAD')) return false;
    page ??= encodeContent(Buffer.from(renderReference(listDocuments(operations, deps))));
    koa.set({ 'Content-Security-Policy': ownScriptsPolicy, 'Cache-Control': 'no-cache' });
    koa.type = 'text/html; charset=utf-8';
    sendEncoded(koa, await page);
    return true;
  };
}

/** Lists the contract, and the extensions if the server has any. */
function listDocuments(
  operations: readonly Operation[],
  { settings, versions }: ReferenceDeps,
): ReferenceDocument[] {
  const build = (part: readonly Operation[]) => buildOpenApi(part, settings.baseUrl, versions);
  const [contract, extensions] = [false, true].map((isExtension) =>
    operations.filter((operation) => extensionOperations.includes(operation) === isExtension),
  ) as [Operation[], Operation[]];
  return [
    { source: '/openapi.json', title: 'API reference', anchor: 'tag', document: build(contract) },
    ...(extensions.length > 0
      ? [{ source: '/openapi.ext.json', title: 'Extensions', anchor: 'ext', document: build(extensions) }]
      : []),
  ];
}
