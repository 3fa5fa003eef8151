import { mapPage } from '../../database/page.ts';
import type { NamedRequest } from '../../repositories/requests/request-log.repository.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { toRequestId } from '../../core/ids.ts';
import { suggestNames } from '../../core/text/nearest-names.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import { PageSchema } from '../http/schemas/schemas.ts';
import { LoggedRequestRead, RequestLogQuery } from './request-log.schemas.ts';

/** @param listOperations returns all operations of the API */
export const createListRequests = (listOperations: () => readonly Operation[]) =>
  defineOperation({
    id: 'listRequests',
    isLong: true,
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
      'Requests of the last seven days, newest first: all requests with API keys, and the writes and refused requests of signed-in people.',
    handle: async ({ ctx, query }, { requests: { requestLog } }) => {
      if (query.operation !== undefined) requireOperation(query.operation, listOperations());
      return mapPage(await requestLog.list(ctx, query), present);
    },
  });

/**
 * @throws AppError `validation_error` for an unknown operation id, with the operations that the caller may
 *   have meant
 */
function requireOperation(id: string, operations: readonly Operation[]): void {
  const ids = operations.map((operation) => operation.id);
  if (ids.includes(id)) return;
  throw invalidField('operation', `is not the id of an operation${suggestNames(id, ids)}`, 'query');
}

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
    error_subject: request.errorSubject,
    duration_ms: request.durationMs,
    created_at: request.createdAt.toISOString(),
  };
}
