import { limitWaitMs } from '../../core/concurrency/backoff.ts';

/**
 * Maximum delay in milliseconds that is returned for a Retry-After header: the longest that any caller waits.
 */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * Matches the date formats of HTTP (RFC 9110, 5.6.7), which are all in UTC. The asctime format does not name
 * the zone.
 */
const HTTP_DATE = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? [\w :-]+?( GMT)?$/;

/**
 * Parses a Retry-After header (RFC 9110, 10.2.3). Returns the delay in milliseconds, at most a day; undefined
 * if invalid. Also accepts fractions of seconds, beyond the RFC.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(header)) return limitWaitMs(Math.ceil(Number(header) * 1000), MAX_RETRY_AFTER_MS);
  // Check the format first: `Date.parse` accepts many texts that are not dates, and reads "1.5" as a month.
  const [date, , , , , , zone] = HTTP_DATE.exec(header) ?? [];
  const atMs = date === undefined ? Number.NaN : Date.parse(zone ? date : `${date} GMT`);
  return Number.isNaN(atMs) ? undefined : limitWaitMs(atMs - nowMs, MAX_RETRY_AFTER_MS);
}
