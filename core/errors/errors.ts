import { errorCodes, type ErrorCode } from './error-codes.ts';

/** An error in one field of a request. */
export interface ErrorDetail {
  /** Path of the wrong field in readable form: `fields[0].key`. */
  field: string;
  /**
   * Path of the wrong field as a list. Unlike `field`, the path is unambiguous even if a key contains dots or
   * brackets.
   */
  path?: readonly (string | number)[];
  in: 'body' | 'path' | 'query' | 'header';
  code: string;
  message: string;
}

export interface AppErrorOptions {
  details?: ErrorDetail[];
  headers?: Record<string, string>;
  cause?: unknown;
  title?: string;
  /**
   * Error message for visitors and anonymous callers. Undefined if these callers may see the original message.
   */
  forVisitors?: string;
  subject?: string;
  isGuess?: boolean;
  afterRollback?: () => Promise<unknown>;
}

/**
 * An error that the API returns to the caller, with a code from `errorCodes`. The message says what the
 * caller can do.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Title of the error: the title of its error code, or a more specific title. */
  readonly title: string;
  readonly details: ErrorDetail[];
  readonly headers: Record<string, string>;
  readonly forVisitors: string | undefined;
  /**
   * Right that the caller lacks, or limit that the request exceeded, for the request log: `scope bots:write`.
   * Contains only names that Parley defines. Undefined if `details` name the wrong fields, or if nothing can
   * be named.
   */
  readonly subject: string | undefined;
  /** Whether the caller has sent a wrong secret, which may be a guess. */
  readonly isGuess: boolean;
  /**
   * Function that runs after the error has rolled back the request's transaction, for example to count a wrong
   * password. The call must not run inside the transaction: if every request waited for a second connection,
   * the pool would deadlock.
   */
  readonly afterRollback: (() => Promise<unknown>) | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errorCodes[code].status;
    this.title = options.title ?? errorCodes[code].title;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
    this.forVisitors = options.forVisitors;
    this.subject = options.subject;
    this.isGuess = options.isGuess ?? false;
    this.afterRollback = options.afterRollback;
  }
}

/**
 * Creates the error for a caller who has exceeded a rate limit. The message ends with the wait, in seconds.
 * @param limit name of the limit or of its setting, for the request log
 */
export function createRateLimitedError(refusal: string, waitSeconds: number, limit?: string): AppError {
  return new AppError('rate_limited', `${refusal}; wait ${waitSeconds} s.`, {
    headers: { 'Retry-After': String(waitSeconds) },
    ...(limit !== undefined && { subject: `limit ${limit}` }),
  });
}

/**
 * Returns whether an error means that a workspace's encryption key is unavailable. The work itself did not
 * fail: retry it until the key is available.
 */
export function isKeyUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'key_unavailable';
}

/**
 * Returns the error to show to visitors and anonymous callers. It has the same code, but no details about the
 * workspace's settings.
 */
export function hideTeamDetails(error: unknown): unknown {
  if (isKeyUnavailable(error))
    return forVisitors(error, 'This is not available right now. Try again later.', 'Not available right now');
  if (!(error instanceof AppError) || error.forVisitors === undefined) return error;
  return forVisitors(error, error.forVisitors, error.title);
}

function forVisitors(error: AppError, message: string, title: string): AppError {
  const { code, headers, isGuess, afterRollback } = error;
  return new AppError(code, message, {
    headers,
    isGuess,
    title,
    cause: error,
    ...(afterRollback && { afterRollback }),
  });
}

/** Maximum number of field errors in a response. */
export const MAX_DETAILS = 100;

/** Maximum number of field errors that an error message describes. */
const MAX_DESCRIBED_DETAILS = 3;

/**
 * Creates a `validation_error`. Its message describes the only field error, or the first of several errors.
 * @param details all errors, or the first errors if there are many: at least one more than `MAX_DETAILS`
 */
export function validationError(details: ErrorDetail[], cause?: unknown): AppError {
  const fields = new Set(details.map(({ in: where, field }) => `${where} ${field}`));
  const [first] = details;
  const message =
    details.length > MAX_DETAILS
      ? `more than ${MAX_DETAILS} values are not valid; the first ${MAX_DETAILS} are listed`
      : fields.size === 1
        ? `${first?.field} ${first?.message}`
        : `${fields.size} fields are not valid: ${describeDetails(details)}`;
  return new AppError('validation_error', message, {
    cause,
    details: details.slice(0, MAX_DETAILS),
  });
}

function describeDetails(details: readonly ErrorDetail[]): string {
  const described = details
    .slice(0, MAX_DESCRIBED_DETAILS)
    .map(({ field, message }) => `${field} ${message}`);
  return [...described, ...(details.length > described.length ? ['…'] : [])].join('; ');
}

/** Creates a `validation_error` about one field, for rules that a JSON Schema cannot express. */
export function invalidField(
  field: string,
  message: string,
  where: ErrorDetail['in'] = 'body',
  cause?: unknown,
): AppError {
  return validationError([{ field, in: where, code: 'invalid', message }], cause);
}

export function createOtherWorkspaceError(resource: string): AppError {
  return new AppError('forbidden', `This ${resource} belongs to another workspace.`);
}

export function notFound(what: string): AppError {
  return new AppError('not_found', `There is no such ${what}.`);
}

/** Creates the error for a request with missing or invalid credentials. */
export function createUnauthenticatedError(message: string): AppError {
  return new AppError('unauthenticated', message, {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}

/**
 * Marks an error as caused by a wrong guess at a secret. The guess counts toward the limit of the caller's IP
 * address.
 */
export function markAsGuess(error: AppError): AppError {
  return new AppError(error.code, error.message, { ...error, isGuess: true });
}

/** Adds a function to an error, which runs after the request's transaction was rolled back. */
export function withRollbackHook(error: AppError, afterRollback: () => Promise<unknown>): AppError {
  return new AppError(error.code, error.message, { ...error, afterRollback });
}
