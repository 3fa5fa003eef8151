import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  KeyUnavailableError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  PreconditionFailedError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  ValidationError,
  type ProblemDetail,
} from './errors.ts';
import { readText } from './read-text.ts';

const MAX_PROBLEM_BYTES = 1024 * 1024;
const ERROR_CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: QuotaExceededError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  422: ValidationError,
  423: KeyUnavailableError,
  429: RateLimitError,
};

/**
 * Reads the API error in a response. A proxy may have written the error, so any part of it may be missing.
 */
export async function readError(response: Response, urlSetting: string): Promise<ApiError> {
  const { status, headers } = response;
  const problem = await readProblem(response, urlSetting);
  const Class = status >= 500 ? ServerError : (ERROR_CLASSES[status] ?? ApiError);
  return new Class({
    status,
    headers,
    code: problem.error?.code ?? 'unknown',
    message: problem.error?.message ?? describeStatus(response, urlSetting),
    details: Array.isArray(problem.details) ? problem.details : [],
    requestId: problem.request_id ?? headers.get('x-request-id'),
    retryAfter: parseRetryAfter(headers.get('retry-after')),
  });
}

/** Returns whether the response is a redirect. Browsers hide its target and status. */
export function isRedirect({ status, type }: Response): boolean {
  return (status >= 300 && status < 400) || type === 'opaqueredirect';
}

/**
 * Describes a response with an error status but without an error of Parley.
 * @param urlSetting name of the setting of Parley's URL
 */
export function describeStatus(response: Response, urlSetting: string): string {
  const advice = `Check that ${urlSetting} is the URL of Parley.`;
  const { status, headers } = response;
  if (isRedirect(response)) {
    // Browsers hide the target of a redirect from scripts.
    const target = headers.get('location');
    return `The server responded with a redirect${target === null ? '' : ` to ${target}`}. ${advice}`;
  }
  // Parley describes each error, but a proxy before it may time out or be overloaded.
  const isUnlikelyParley = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isUnlikelyParley
    ? `The server responded with status ${status}, but without a Parley error. ${advice}`
    : `The server responded with status ${status}.`;
}

interface LooseProblem {
  error?: { code?: string; message?: string };
  details?: ProblemDetail[];
  request_id?: string;
}

async function readProblem(response: Response, urlSetting: string): Promise<LooseProblem> {
  try {
    const problem: unknown = JSON.parse(
      await readText(response, { maxBytes: MAX_PROBLEM_BYTES, urlSetting }),
    );
    return typeof problem === 'object' && problem !== null ? problem : {};
  } catch {
    return {};
  }
}

/** Parses the header `Retry-After`: seconds, or a date from a proxy. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}
