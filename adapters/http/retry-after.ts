import { limitWaitMs } from '../../core/concurrency/backoff.ts';

/** Longest wait that any caller accepts. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** Formats of a date in HTTP (RFC 9110, 5.6.7); that of asctime names no zone. All are in UTC. */
const HTTP_DATE = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? [\w :-]+?( GMT)?$/;

/**
 * Parses a Retry-After header (RFC 9110, 10.2.3) to milliseconds from now, a day at most; undefined if it is
 * unusable. Accepts fractions of seconds, which the RFC does not.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(header)) return limitWaitMs(Math.ceil(Number(header) * 1000), MAX_RETRY_AFTER_MS);
  // Date.parse alone accepts many texts that are not dates, and "1.5" as a month.
  const [date, , , , , , zone] = HTTP_DATE.exec(header) ?? [];
  const atMs = date === undefined ? Number.NaN : Date.parse(zone ? date : `${date} GMT`);
  return Number.isNaN(atMs) ? undefined : limitWaitMs(atMs - nowMs, MAX_RETRY_AFTER_MS);
}
