import type { ErrorCode } from './generated/models.ts';

/** Everything that the SDK throws, except for the reason of a signal that ended a call. */
export class ParleyError extends Error {
  override name = 'ParleyError';
}

/** No answer came, or it broke off. */
export class ConnectionError extends ParleyError {
  override name = 'ConnectionError';
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** A stream broke off, and reading on is not possible or has failed too often. */
export class StreamInterruptedError extends ConnectionError {
  override name = 'StreamInterruptedError';
}

/** A request that is not one of Parley's webhooks, or is too old. */
export class WebhookVerificationError extends ParleyError {
  override name = 'WebhookVerificationError';
}

/** A document could not be indexed. */
export class DocumentFailedError extends ParleyError {
  override name = 'DocumentFailedError';

  constructor(
    readonly documentId: string,
    reason: string | null,
  ) {
    super(reason ?? 'The document could not be indexed.');
  }
}

/** A field of a request that is not valid. */
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

/** Parley refused a request. `code` is what to decide by. */
export class ApiError extends ParleyError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  /** Every field that is not valid. */
  readonly details: readonly ProblemDetail[];
  /** Identifies the request, for support. */
  readonly requestId: string | null;
  /** Seconds to wait before the request is sent again. */
  readonly retryAfter: number | null;
  readonly headers: Headers;

  constructor({ status, code, message, details, requestId, retryAfter, headers }: ApiErrorInit) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.headers = headers;
  }
}

/** 400: the request is not well-formed, or asks for an API version that does not exist. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}

/** 401: no valid credentials. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 402: a limit of the plan is reached. */
export class QuotaExceededError extends ApiError {
  override name = 'QuotaExceededError';
}

/** 403: the key lacks a scope, or what was asked for belongs to another workspace. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** 404: there is no such thing. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: the present state does not allow it. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 413: the body or the file is too large. */
export class PayloadTooLargeError extends ApiError {
  override name = 'PayloadTooLargeError';
}

/** 422: something in the request is not valid; `details` names the fields. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** 423: the workspace's own key is out of reach. */
export class KeyUnavailableError extends ApiError {
  override name = 'KeyUnavailableError';
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 500 and above: something is wrong with Parley, or in between. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}
