import { QueryFailedError } from 'typeorm';
import { StorageTimeoutError } from '../../../adapters/storage/object-storage.ts';
import type { ErrorCode } from '../../../core/errors/error-codes.ts';
import { AppError, type ErrorDetail } from '../../../core/errors/errors.ts';
import type { FieldPath } from '../../../core/errors/field-errors.ts';

/**
 * An error response: problem details (RFC 9457) with the additional members in docs/architecture/requests.md.
 */
export interface Problem {
  type: string;
  title: string;
  status: number;
  instance: string;
  request_id: string;
  error: { code: string; message: string };
  details: (Omit<ErrorDetail, 'path'> & { pointer?: string })[];
  detail: string | { loc: (string | number)[]; msg: string; type: string }[];
}

export function toProblem(error: AppError, requestId: string, baseUrl: string): Problem {
  const { title, status } = error;
  return {
    type: `${baseUrl}/errors/${error.code}`,
    title,
    status,
    instance: `urn:request:${requestId}`,
    request_id: requestId,
    error: { code: error.code, message: error.message },
    details: error.details.map(({ path, ...detail }) =>
      detail.in === 'body' ? { ...detail, pointer: toJsonPointer(path ?? parsePath(detail.field)) } : detail,
    ),
    detail:
      error.code === 'validation_error'
        ? error.details.map(({ in: where, field, path, message, code }) => ({
            loc: [where, ...(path ?? parsePath(field))],
            msg: message,
            type: code,
          }))
        : error.message,
  };
}

function parsePath(field: string): FieldPath {
  if (field === '(body)') return [];
  return field
    .split(/[.[\]]+/)
    .filter(Boolean)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** Formats the path of a field as a JSON Pointer in a URI fragment (RFC 6901, section 6). */
function toJsonPointer(path: FieldPath): string {
  const segments = path.map((step) =>
    String(step).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'),
  );
  return ['#', ...segments.map((segment) => encodeURI(segment).replaceAll('#', '%23'))].join('/');
}

/**
 * Matches SQLSTATEs and Node's error codes of temporary database failures: unavailable, overloaded, too slow,
 * deadlocked.
 */
const UNAVAILABLE = /^(08|57|53|40)|^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT)$/;

/**
 * Error codes and messages for rules that functions in the database enforce, by the SQLSTATE that these
 * functions raise.
 */
const refusals: Readonly<Record<string, [ErrorCode, string]>> = {
  OH001: [
    'hierarchy_too_deep',
    'Workspaces can be nested at most five levels deep, including the top level.',
  ],
  OH002: ['conflict', 'A workspace cannot be moved below itself.'],
  OW001: ['last_owner', 'This is the last owner of the workspace; make another member an owner first.'],
};

/** Converts any error to an error that callers may see. Hides the details of unexpected errors. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StorageTimeoutError)
    return createNotReadyError('The file storage does not respond; try again in a moment.', error);
  const code = findSqlState(error);
  const refusal = refusals[code ?? ''];
  if (refusal) return new AppError(...refusal, { cause: error });
  if (code === '23505')
    return new AppError('conflict', 'An object with the same identity already exists.', { cause: error });
  if (code === '23503')
    return new AppError('conflict', 'An object that the request refers to has just been deleted.', {
      cause: error,
    });
  if (isUnavailable(error, code))
    return createNotReadyError('The database does not respond; try again in a moment.', error);
  return new AppError(
    'internal_error',
    'Something went wrong on our side; the request_id identifies the failure.',
    {
      cause: error,
    },
  );
}

function createNotReadyError(message: string, cause: unknown): AppError {
  return new AppError('not_ready', message, { cause, headers: { 'Retry-After': '2' } });
}

function findSqlState(error: unknown): string | undefined {
  const source: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return source instanceof Error && 'code' in source && typeof source.code === 'string'
    ? source.code
    : undefined;
}

function isUnavailable(error: unknown, code: string | undefined): boolean {
  if (code !== undefined) return UNAVAILABLE.test(code);
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(error.message)
  );
}
