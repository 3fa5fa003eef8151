import { mapPage } from '../../database/page.ts';
import type { NamedRequest } from '../../repositories/requests/request-log.repository.ts';
import { toRequestId } from '../../core/ids.ts';
import { defineOperation } from '../http/operation.ts';
import { PageSchema } from '../http/schemas/schemas.ts';
import { LoggedRequestRead, RequestLogQuery } from './request-log.schemas.ts';

export const listRequests = defineOperation({
  id: 'listRequests',
  method: 'GET',
  path: '/api/ext/requests',
  tag: 'requests',
  auth: 'member',
  scope: 'org:read',
  role: 'admin',
  query: RequestLogQuery,
  responses: { 200: PageSchema(LoggedRequestRead) },
  errors: ['not_found'],
  summary:
    'Requests of the last seven days, newest first: all requests with API keys, and the writes and refused requests of people.',
  handle: async ({ ctx, query }, { requests: { requestLog } }) =>
    mapPage(await requestLog.list(ctx, query), present),
});

function present(request: NamedRequest): LoggedRequestRead {
  return {
    id: request.id,
    request_id: toRequestId(request.id),
    api_key_id: request.apiKeyId,
    api_key_name: request.key?.name ?? null,
    user_id: request.userId,
    operation: request.operation,
    method: request.method,
    path: request.path,
    status: request.status,
    error_code: request.errorCode,
    duration_ms: request.durationMs,
    created_at: request.createdAt.toISOString(),
  };
}
