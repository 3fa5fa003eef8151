import type { ErrorCode } from './generated/models.ts';

/**
 * Base class of all errors of the SDK. If the caller aborts a signal, its reason is thrown unchanged instead.
 */
export class ParleyError extends Error {
  override name = 'ParleyError';
}

/** Thrown if a call needs a credential that the client does not have. */
export class MissingCredentialError extends ParleyError {
  override name = 'MissingCredentialError';

  constructor(
    message: string,
    readonly credential: 'key' | 'visitorToken',
  ) {
    super(message);
  }
}

/** Thrown if an argument of a call cannot be sent, such as an empty id. */
export class InvalidArgumentError extends ParleyError {
  override name = 'InvalidArgumentError';

  constructor(
    message: string,
    readonly argument: string,
  ) {
    super(message);
  }
}

/** Thrown if no response arrived, or the connection to the server broke. */
export class ConnectionError extends ParleyError {
  override name = 'ConnectionError';
}

/** Thrown if no response arrived in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** Thrown if a stream was interrupted and cannot be resumed, or not within the allowed retries. */
export class StreamInterruptedError extends ConnectionError {
  override name = 'StreamInterruptedError';
}

/** Thrown if a received webhook was not signed by Parley, or is too old. */
export class WebhookVerificationError extends ParleyError {
  override name = 'WebhookVerificationError';
}

/** Thrown if a document could not be indexed. */
export class DocumentFailedError extends ParleyError {
  override name = 'DocumentFailedError';

  constructor(
    readonly documentId: string,
    reason: string | null,
  ) {
    super(reason ?? 'The document could not be indexed.');
  }
}

/** An invalid field of an API request, as the response describes it. */
export interface ProblemDetail {
  field: string;
  pointer?: string;
  in: 'body' | 'path' | 'query' | 'header' | (string & {});
  code: string;
  message: string;
}

export interface ApiErrorInit {
  status: number;
  code: ErrorCode;
  message: string;
  details: readonly ProblemDetail[];
  requestId: string | null;
  retryAfter: number | null;
  headers: Headers;
}

/** Thrown if Parley rejected a request; `code` says why. */
export class ApiError extends ParleyError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  /** All invalid fields. */
  readonly details: readonly ProblemDetail[];
  /** Id of the request, which the server logs; useful for support. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry of the request. */
  readonly retryAfter: number | null;
  /** Headers of the response. This property is not enumerable, so that logs stay short. */
  declare readonly headers: Headers;

  constructor({ status, code, message, details, requestId, retryAfter, headers }: ApiErrorInit) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    Object.defineProperty(this, 'headers', { value: headers });
  }

  /** Returns name, message, code and request id, and a line for each invalid field that the message omits. */
  override toString(): string {
    const request = this.requestId === null ? '' : `, ${this.requestId}`;
    const omitted = listOmittedDetails(this).map((detail) => `\n  ${detail}`);
    return `${this.name}: ${this.message} (${this.code}${request})${omitted.join('')}`;
  }
}

/**
 * Describes the invalid fields that the message of the error omits, because the message names only the first
 * fields.
 */
export function listOmittedDetails({ message, details }: Pick<ApiError, 'message' | 'details'>): string[] {
  return details
    .filter((detail) => !message.includes(`${detail.field} ${detail.message}`))
    .map((detail) => `${detail.field}: ${detail.message}`);
}

/** Thrown for status 400: the request is malformed, or its API version does not exist. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}

/** Thrown for status 401: the credentials are missing or invalid. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** Thrown for status 402: the workspace has reached a limit of its plan. */
export class QuotaExceededError extends ApiError {
  override name = 'QuotaExceededError';
}

/** Thrown for status 403: the key lacks a scope, or the resource belongs to another workspace. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** Thrown for status 404: the resource does not exist. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** Thrown for status 409: the current state of the resource does not allow the operation. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** Thrown for status 412: the resource has changed since its `ETag` was read. */
export class PreconditionFailedError extends ApiError {
  override name = 'PreconditionFailedError';
}

/** Thrown for status 413: the body or the file is too large. */
export class PayloadTooLargeError extends ApiError {
  override name = 'PayloadTooLargeError';
}

/** Thrown for status 422: the request is invalid; `details` lists the fields. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** Thrown for status 423: the workspace's own encryption key is unavailable. */
export class KeyUnavailableError extends ApiError {
  override name = 'KeyUnavailableError';
}

/** Thrown for status 429: the caller has sent too many requests. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** Thrown for status 500 and above: Parley or a proxy failed. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}
