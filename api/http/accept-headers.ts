import type { IncomingHttpHeaders } from 'node:http';

/**
 * Maximum characters of an Accept header that is parsed. The longest that a browser sends has 200 characters.
 */
const MAX_CHARS = 1000;

/**
 * Truncates long Accept headers after the last complete member, since parsing takes quadratic time. Removes a
 * long header without a complete member.
 */
export function truncateAcceptHeaders(headers: IncomingHttpHeaders): void {
  for (const name of ['accept', 'accept-encoding', 'accept-language'] as const) {
    const value = headers[name];
    if (value === undefined || value.length <= MAX_CHARS) continue;
    const end = value.lastIndexOf(',', MAX_CHARS);
    if (end === -1) delete headers[name];
    else headers[name] = value.slice(0, end);
  }
}
