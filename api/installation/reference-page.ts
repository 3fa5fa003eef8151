import type Koa from 'koa';
import type { ApiVersions } from '../../core/api-versions.ts';
import { runInSlices, yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { encodeContent, sendEncoded, type EncodedContent } from '../../web/encoded-content.ts';
import { ownScriptsPolicy } from '../../web/own-scripts-policy.ts';
import { buildOpenApiStepwise } from '../http/openapi/openapi.ts';
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
    page ??= renderPage(operations, deps);
    koa.set({ 'Content-Security-Policy': ownScriptsPolicy, 'Cache-Control': 'no-cache' });
    koa.type = 'text/html; charset=utf-8';
    sendEncoded(koa, await page);
    return true;
  };
}

/** Builds the page of the API reference in slices, which do not block requests. */
async function renderPage(operations: readonly Operation[], deps: ReferenceDeps): Promise<EncodedContent> {
  const documents = await listDocuments(operations, deps);
  await yieldToEventLoop();
  return encodeContent(Buffer.from(renderReference(documents)));
}

/** Lists the OpenAPI document of the contract, and that of the extensions if the server has any. */
async function listDocuments(
  operations: readonly Operation[],
  { settings, versions }: ReferenceDeps,
): Promise<ReferenceDocument[]> {
  const build = (part: readonly Operation[]) =>
    runInSlices(buildOpenApiStepwise(part, settings.baseUrl, versions));
  const [contract, extensions] = [false, true].map((isExtension) =>
    operations.filter((operation) => extensionOperations.includes(operation) === isExtension),
  ) as [Operation[], Operation[]];
  return [
    { source: '/openapi.json', title: 'API reference', anchor: 'tag', document: await build(contract) },
    ...(extensions.length > 0
      ? [
          {
            source: '/openapi.ext.json',
            title: 'Extensions',
            anchor: 'ext',
            document: await build(extensions),
          },
        ]
      : []),
  ];
}
