import type { Problem } from './types.ts';

/** An error of an API call, with a message for users. */
export class ApiError extends Error {
  /** HTTP status of the response; 0 if no response arrived. */
  readonly status: number;
  readonly code: string;
  readonly details: readonly { field: string; message: string }[];
  readonly requestId: string | null;
  /** Time from which the request may be repeated, in milliseconds since the epoch, from Retry-After. */
  readonly retryAt: number | null;

  constructor(
    message: string,
    {
      status = 0,
      code = 'unreachable',
      details = [],
      requestId = null,
      retryAt = null,
    }: Partial<ApiErrorFacts> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAt = retryAt;
  }

  /** Whether a retry may succeed: the network, a proxy or the workspace's key service failed. */
  get isTemporary(): boolean {
    return ['unreachable', 'key_unavailable'].includes(this.code) || [502, 503, 504].includes(this.status);
  }
}

type ApiErrorFacts = Pick<ApiError, 'status' | 'code' | 'details' | 'requestId' | 'retryAt'>;

export function createUnreachableError(): ApiError {
  return new ApiError("Can't reach Parley. Check your connection and try again.");
}

/**
 * Converts a failed response of the API to an error.
 * @param body body of the response: problem details of the API, or the text of a proxy
 * @param retryAfter value of the Retry-After header
 */
export function toResponseError(status: number, body: string, retryAfter: string | null = null): ApiError {
  const problem = parseProblem(body);
  const seconds = Number(retryAfter ?? Number.NaN);
  const retryAt = Number.isFinite(seconds) ? Date.now() + seconds * 1000 : null;
  if (problem === null)
    return new ApiError(`Request failed (HTTP ${status}).`, { status, code: 'unknown', retryAt });
  const { error, details, request_id: requestId } = problem;
  return new ApiError(error.message, { status, code: error.code, details, requestId, retryAt });
}

/** Converts anything that was thrown to an error with a message for users. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('An unexpected error occurred. Reload this page and try again.', {
    code: 'page_failed',
  });
}

function parseProblem(body: string): Problem | null {
  try {
    const problem = JSON.parse(body) as Partial<Problem> | null;
    return problem?.error === undefined ? null : (problem as Problem);
  } catch {
    return null;
  }
}
