import type { Problem } from './types.ts';

/** Why a call failed, in words for people. */
export class ApiError extends Error {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly details: readonly { field: string; message: string }[];
  readonly requestId: string | null;
  /** When it can be tried again, in milliseconds, where Parley has said so. */
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

  /** Whether it may be over without anybody here doing anything: the network, a proxy or the workspace's key service is away. */
  get isPassing(): boolean {
    return ['unreachable', 'key_unavailable'].includes(this.code) || [502, 503, 504].includes(this.status);
  }
}

type ApiErrorFacts = Pick<ApiError, 'status' | 'code' | 'details' | 'requestId' | 'retryAt'>;

export function unreachable(): ApiError {
  return new ApiError('Parley cannot be reached. Check your connection and try again.');
}

/**
 * @param body of an answer that is no success: problem details, or whatever a proxy in between says
 * @param retryAfter its header
 */
export function errorOf(status: number, body: string, retryAfter: string | null = null): ApiError {
  const problem = problemIn(body);
  const seconds = Number(retryAfter ?? Number.NaN);
  const retryAt = Number.isFinite(seconds) ? Date.now() + seconds * 1000 : null;
  if (problem === null)
    return new ApiError(`Parley answered with status ${status}.`, { status, code: 'unknown', retryAt });
  const { error, details, request_id: requestId } = problem;
  return new ApiError(error.message, { status, code: error.code, details, requestId, retryAt });
}

/** Anything thrown as something that can be shown. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('Something went wrong in this page. Reload it and try again.', { code: 'page_failed' });
}

function problemIn(body: string): Problem | null {
  try {
    const problem = JSON.parse(body) as Partial<Problem> | null;
    return problem?.error === undefined ? null : (problem as Problem);
  } catch {
    return null;
  }
}
