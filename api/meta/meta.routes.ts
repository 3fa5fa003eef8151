import { Type } from '@sinclair/typebox';
import { errorCodes, type ErrorCode } from '../../core/error-codes.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { openApiOf } from '../http/openapi.ts';
import { defineOperation, replyWith, type Operation } from '../http/operation.ts';
import { FreeForm } from '../http/schemas.ts';
import { scopes } from '../http/scopes.ts';
import { apiVersions, CURRENT_VERSION } from '../http/version.ts';
import { presentErrorPage, renderErrorPage } from './error-page.ts';
import { ApiVersionRead, ErrorPage, HealthRead, MetaRead } from './meta.schemas.ts';

const isPublic = { auth: 'public', scope: null, role: null, tag: 'meta', method: 'GET' } as const;

export const getHealth = defineOperation({
  ...isPublic,
  id: 'getHealth',
  path: '/api/health',
  isUnmetered: true,
  responses: { 200: HealthRead },
  summary: 'Whether the process is up; touches nothing else.',
  handle: async () => ({ status: 'ok' as const, checks: {} }),
});

export const getReadiness = defineOperation({
  ...isPublic,
  id: 'getReadiness',
  path: '/api/health/ready',
  isUnmetered: true,
  responses: { 200: HealthRead },
  errors: ['not_ready'],
  summary: 'Whether database, workflow service and storage answer.',
  handle: async (_input, { health }) => {
    const checks = await health.check();
    const failing = Object.keys(checks).filter((part) => checks[part] === 'failing');
    if (failing.length > 0) {
      throw new AppError('not_ready', `These do not answer: ${failing.join(', ')}.`, {
        headers: { 'Retry-After': '2' },
      });
    }
    return { status: 'ok' as const, checks };
  },
});

export const getMeta = defineOperation({
  ...isPublic,
  id: 'getMeta',
  path: '/api/meta',
  responses: { 200: MetaRead },
  summary: 'Name, version, limits and scopes of this installation.',
  handle: async (_input, { settings }) => ({
    name: 'Parley',
    version: CURRENT_VERSION,
    limits: {
      requests_per_minute: settings.rateLimitPerMinute,
      upload_bytes: settings.uploadMaxBytes,
      widget_sessions_per_hour: settings.widgetSessionsPerHour,
    },
    scopes: [...scopes],
    identity_providers: [],
  }),
});

export const listApiVersions = defineOperation({
  ...isPublic,
  id: 'listApiVersions',
  path: '/api/meta/versions',
  responses: { 200: Type.Array(ApiVersionRead) },
  summary: 'Every API version with its changes and dates.',
  handle: async () =>
    apiVersions.map(({ version, changes, deprecatedAt, sunsetAt }) => ({
      version,
      changes,
      deprecated_at: deprecatedAt,
      sunset_at: sunsetAt,
    })),
});

export const getErrorPage = defineOperation({
  ...isPublic,
  id: 'getErrorPage',
  path: '/errors/{code}',
  params: Type.Object({
    code: Type.String({ maxLength: 100, description: 'An error code.', examples: ['not_found'] }),
  }),
  responses: {
    200: {
      description: 'What the code means and what to do, as a page or as JSON.',
      content: { 'text/html': null, 'application/json': ErrorPage },
    },
  },
  errors: ['not_found'],
  summary: 'What an error code means and what to do.',
  handle: async ({ params, accepts }) => {
    if (!Object.hasOwn(errorCodes, params.code)) throw notFound('error code');
    const page = presentErrorPage(params.code as ErrorCode);
    return accepts === 'text/html' ? replyWith.text('text/html; charset=utf-8', renderErrorPage(page)) : page;
  },
});

/** Serves the document of the operations that the registry hands in. */
export const createGetOpenApi = (operations: () => readonly Operation[]) =>
  defineOperation({
    ...isPublic,
    id: 'getOpenApi',
    path: '/openapi.json',
    responses: { 200: FreeForm('An OpenAPI 3.1 document.') },
    summary: 'The OpenAPI document of this API.',
    handle: async (_input, { settings }) => openApiOf(operations(), settings.baseUrl),
  });
