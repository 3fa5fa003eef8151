import { limitWaitMs, MAX_REQUESTED_WAIT_MS } from '../../core/concurrency/backoff.ts';
import type { OutboundResponse } from '../http/outbound-client.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { CalendarUnavailable } from './calendar-provider.ts';

/**
 * Returns an error if the response's status means a failure of the calendar provider; undefined if the
 * provider processed the request.
 */
export function toUnavailableError(
  { status, headers }: Pick<OutboundResponse, 'status' | 'headers'>,
  provider: string,
): CalendarUnavailable | undefined {
  if (status !== 408 && status !== 425 && status !== 429 && status < 500) return undefined;
  const message =
    status === 429
      ? `${provider} is not accepting more requests at the moment.`
      : `${provider} is not working at the moment (status ${status}).`;
  return new CalendarUnavailable(message, parseRetryPause(headers));
}

export function parseRetryPause(headers: OutboundResponse['headers']): { retryAfterMs?: number } {
  const pauseMs = parseRetryAfter(headers['retry-after'], Date.now());
  return pauseMs === undefined ? {} : { retryAfterMs: limitWaitMs(pauseMs, MAX_REQUESTED_WAIT_MS) };
}
