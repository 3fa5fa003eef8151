import { fill } from '../texts.ts';
import type { Failure } from './contract.ts';
import type { Words } from './words.ts';

/** Whose wait is longer has too many meetings, and has not asked too often. */
const LONG_WAIT_SECONDS = 3600;

/** What the API has said; nothing where it could not be reached. */
export function failureOf(error: unknown): Failure {
  return (error ?? {}) as Failure;
}

/** What went wrong, as a visitor is told it. */
export function failureText(error: unknown, words: Words): string {
  const { status, retryAfterSeconds: seconds = 0 } = failureOf(error);
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
