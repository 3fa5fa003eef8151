import { Type } from '@sinclair/typebox';
import { errorCodes, type ErrorCode } from '../../core/errors/error-codes.ts';
import { runInSlices, yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';
import { AppError, notFound } from '../../core/errors/errors.ts';
import { languages } from '../../core/languages.ts';
import { resolveChannelRoutes, canShowCaptured } from '../../services/alerts/channels/channels.ts';
import type { Services } from '../../services/services.ts';
import { withCodeSamples } from '../http/openapi/code-samples.ts';
import { buildOpenApiStepwise } from '../http/openapi/openapi.ts';
import { encodeContent, type EncodedContent } from '../../web/encoded-content.ts';
import { defineOperation, replyWith, type Operation } from '../http/operation.ts';
import { FreeForm } from '../http/schemas/schemas.ts';
import { grants, scopes, type Scope } from '../http/access/scopes.ts';
import { MAIL_PAGES } from '../mail/mail-pages-access.ts';
import { presentErrorPage, renderErrorPage } from './error-page.ts';
import { ApiVersionRead, ErrorPage, HealthRead, MetaRead } from './meta.schemas.ts';

/**
 * Quality of Brotli compression of OpenAPI documents, below the maximum of 11: compression takes 0.2 s
 * instead of 4 s, for a document that is 5 KB larger.
 */
const BROTLI_QUALITY = 9;

const publicAccess = { auth: 'public', scope: null, role: null, tag: 'meta', method: 'GET' } as const;

export const getHealth = defineOperation({
  ...publicAccess,
  id: 'getHealth',
  path: '/api/health',
  isUnmetered: true,
  responses: { 200: HealthRead },
  summary: 'Liveness: whether the process is running. Nothing else is checked.',
  handle: async () => ({ status: 'ok' as const, checks: {} }),
});

export const getReadiness = defineOperation({
  ...publicAccess,
  id: 'getReadiness',
  path: '/api/health/ready',
  isUnmetered: true,
  responses: { 200: HealthRead },
  errors: ['not_ready'],
  summary:
    'Readiness: whether the database and storage respond. Also reports the workflow service, without which the API can run.',
  handle: async (_input, { installation: { health } }) => {
    const checks = await health.check();
    const failing = Object.keys(checks).filter((part) => checks[part] === 'failing');
    if (failing.length > 0) {
      throw new AppError('not_ready', `Unavailable: ${failing.join(', ')}.`, {
        headers: { 'Retry-After': '2' },
      });
    }
    return { status: 'ok' as const, checks };
  },
});

export const listApiVersions = defineOperation({
  ...publicAccess,
  id: 'listApiVersions',
  path: '/api/meta/versions',
  responses: { 200: Type.Array(ApiVersionRead) },
  summary: 'Every API version with its changes and dates.',
  handle: async (_input, { versions }) =>
    versions.all.map(({ version, changes, deprecatedAt, sunsetAt }) => ({
      version,
      changes: changes.map(({ description }) => description),
      deprecated_at: deprecatedAt,
      sunset_at: sunsetAt,
    })),
});

export const getErrorPage = defineOperation({
  ...publicAccess,
  id: 'getErrorPage',
  path: '/errors/{code}',
  params: Type.Object({
    code: Type.String({ maxLength: 100, description: 'An error code.', examples: ['not_found'] }),
  }),
  responses: {
    200: {
      description: 'The meaning of the code and how to fix it, as a page or as JSON.',
      content: { 'text/html': null, 'application/json': ErrorPage },
    },
  },
  errors: ['not_found'],
  summary: 'The meaning of an error code, and how to fix it.',
  handle: async ({ params, accepts }) => {
    if (!Object.hasOwn(errorCodes, params.code)) throw notFound('error code');
    const page = presentErrorPage(params.code as ErrorCode);
    return accepts === 'text/html' ? replyWith.page(renderErrorPage(page)) : page;
  },
});

/**
 * Builds an OpenAPI document as JSON, in slices. Adds code samples to the document of the current version
 * only: the SDKs in the samples use that version.
 */
async function writeDocumentedOpenApi(
  ...[operations, baseUrl, versions, version]: Parameters<typeof buildOpenApiStepwise>
): Promise<Buffer> {
  const document = await runInSlices(buildOpenApiStepwise(operations, baseUrl, versions, version));
  const documented = version === versions?.current ? withCodeSamples(document, baseUrl) : document;
  await yieldToEventLoop();
  const text = JSON.stringify(documented);
  await yieldToEventLoop();
  return Buffer.from(text);
}

/** Defines the operation that returns the OpenAPI document of an API version. */
export function createGetOpenApi(operations: () => readonly Operation[]) {
  return defineOperation({
    ...publicAccess,
    ...defineDocumentEndpoint(operations),
    id: 'getOpenApi',
    path: '/openapi.json',
    summary: 'The OpenAPI document of this API, in the version of the request.',
  });
}

/** Defines the operation that returns the OpenAPI document of the extensions. */
export function createGetExtensionsOpenApi(operations: () => readonly Operation[]) {
  return defineOperation({
    ...publicAccess,
    ...defineDocumentEndpoint(operations),
    id: 'getExtensionsOpenApi',
    path: '/openapi.ext.json',
    summary: 'The OpenAPI document of the extensions, in the version of the request.',
  });
}

/**
 * Returns responses and handler of an operation that returns an OpenAPI document. Builds and compresses the
 * document of each API version once.
 */
function defineDocumentEndpoint(operations: () => readonly Operation[]) {
  const documents = new WeakMap<Services, Map<string, Promise<EncodedContent>>>();
  const encode = async (version: string, { settings, versions }: Services): Promise<EncodedContent> =>
    encodeContent(
      await writeDocumentedOpenApi(operations(), settings.baseUrl, versions, version),
      BROTLI_QUALITY,
    );
  const encodeOnce = (version: string, services: Services): Promise<EncodedContent> => {
    const known = documents.get(services) ?? new Map<string, Promise<EncodedContent>>();
    documents.set(services, known);
    const encoded = known.get(version) ?? encode(version, services);
    known.set(version, encoded);
    encoded.catch(() => known.delete(version));
    return encoded;
  };
  return {
    responses: { 200: FreeForm('An OpenAPI 3.1 document.') },
    handle: async ({ ctx }: { ctx: { version: string } }, services: Services) =>
      replyWith.encoded({
        content: await encodeOnce(ctx.version, services),
        contentType: 'application/json',
        vary: 'X-API-Version',
      }),
  };
}

/** Defines the operation that describes this installation, with the scopes that its operations use. */
export function createGetMeta(operations: () => readonly Operation[]) {
  return defineOperation({
    ...publicAccess,
    id: 'getMeta',
    path: '/api/meta',
    responses: { 200: MetaRead },
    summary: 'Name, version, limits and scopes of this installation.',
    handle: async (_input, { settings, versions, accounts: { identities } }) => ({
      name: 'Parley',
      version: versions.current,
      limits: {
        requests_per_minute: settings.rateLimitPerMinute,
        upload_bytes: settings.uploadMaxBytes,
        widget_sessions_per_hour: settings.widgetSessionsPerHour,
      },
      scopes: [...scopes],
      usable_scopes: scopes.filter((scope) => operations().some((operation) => isUsedBy(operation, scope))),
      languages: [...languages],
      sends_mail: settings.smtpUrl !== undefined,
      mail_page: canShowCaptured(settings) ? MAIL_PAGES : null,
      alert_channels: resolveChannelRoutes(settings),
      identity_providers: identities.providerNames,
    }),
  });
}

/** Returns whether an operation accepts API keys with this scope. A write scope includes the read scope. */
function isUsedBy({ scope: needed }: Operation, scope: Scope): boolean {
  return needed !== null && grants([scope], needed);
}
