import { errorCodes, type ErrorCode } from './error-codes.ts';

/** A field of a request that failed validation. */
export interface ErrorDetail {
  /** Path in a notation for people: `fields[0].key`. */
  field: string;
  /** Path as a list, for names that `field` cannot represent unambiguously, such as those with dots. */
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
  /** Message for visitors and anonymous callers, if the original concerns only the team. */
  forVisitors?: string;
  isGuess?: boolean;
  afterRollback?: () => Promise<unknown>;
}

/** A failure to report to the caller: a code of the table and a message that says what to do. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The code's title, or a narrower one. */
  readonly title: string;
  readonly details: ErrorDetail[];
  readonly headers: Record<string, string>;
  readonly forVisitors: string | undefined;
  /** Whether it is a wrong guess at a secret. */
  readonly isGuess: boolean;
  /**
   * Runs after rollback, for example to count a failed guess. Never open a second connection inside the
   * transaction: if every request holds one, the pool deadlocks.
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
    this.isGuess = options.isGuess ?? false;
    this.afterRollback = options.afterRollback;
  }
}

/** Returns whether work must wait for the key of a workspace. Nothing is wrong with it, and it is to be repeated. */
export function isKeyUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'key_unavailable';
}

/**
 * Returns the failure for visitors and anonymous callers. Details about the workspace's set-up concern only the team.
 * The code stays.
 */
export function withoutTeamDetails(error: unknown): unknown {
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

/** Maximum number of errors in a response. */
export const MAX_DETAILS = 100;

/**
 * Describes a single error in the message, or the number of fields with errors; the details list them.
 * @param details errors; callers may stop at one more than a response lists
 */
export function validationError(details: ErrorDetail[], cause?: unknown): AppError {
  const fields = new Set(details.map(({ in: where, field }) => `${where} ${field}`));
  const [first] = details;
  const told =
    details.length > MAX_DETAILS
      ? `more than ${MAX_DETAILS} things are not valid; the first ${MAX_DETAILS} are named`
      : fields.size === 1
        ? `${first?.field} ${first?.message}`
        : `${fields.size} fields are not valid`;
  return new AppError('validation_error', told, {
    cause,
    details: details.slice(0, MAX_DETAILS),
  });
}

/** Creates a `validation_error` about one field, for rules that a schema cannot express. */
export function invalidField(
  field: string,
  message: string,
  where: ErrorDetail['in'] = 'body',
  cause?: unknown,
): AppError {
  return validationError([{ field, in: where, code: 'invalid', message }], cause);
}

export function ofAnotherWorkspace(what: string): AppError {
  return new AppError('forbidden', `This ${what} belongs to another workspace.`);
}

export function notFound(what: string): AppError {
  return new AppError('not_found', `There is no such ${what}.`);
}

/** Creates the error for invalid credentials. */
export function createUnauthenticatedError(message: string): AppError {
  return new AppError('unauthenticated', message, {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}

/** Marks the failure as a wrong guess at a secret, which counts against the caller's address. */
export function asGuess(error: AppError): AppError {
  return new AppError(error.code, error.message, { ...error, isGuess: true });
}

/** Adds work to run after rollback to the failure. */
export function leaving(error: AppError, afterRollback: () => Promise<unknown>): AppError {
  return new AppError(error.code, error.message, { ...error, afterRollback });
}
