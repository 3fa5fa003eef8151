import { fill } from '../texts.ts';
import type { Failure } from './contract.ts';
import type { Words } from './words.ts';

/**
 * If the API asks to wait for more seconds than this, the visitor has too many meetings. A shorter wait means
 * too many calls.
 */
const LONG_WAIT_SECONDS = 3600;

/**
 * Converts a thrown value to an error of an API call. All members are missing if the widget could not reach
 * the API.
 */
export function toFailure(error: unknown): Failure {
  return (error ?? {}) as Failure;
}

/** Describes an error of a booking for the visitor. */
export function describeBookingFailure(error: unknown, words: Words): string {
  const { status, retryAfterSeconds: seconds = 0 } = toFailure(error);
  switch (status) {
    case undefined:
      return navigator.onLine ? words.failed : words.offline;
    case 403:
    case 404:
    case 409:
    case 423:
      return words.paused;
    case 429:
      if (seconds > LONG_WAIT_SECONDS) return words.tooMany;
      return seconds < 100
        ? fill(words.wait, { seconds })
        : fill(words.waitLong, { minutes: Math.ceil(seconds / 60) });
    case 503:
      return words.unknown;
    default:
      return words.failed;
  }
}
