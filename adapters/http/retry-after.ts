/** The forms of a date in HTTP (RFC 9110, 5.6.7), of which the one of asctime names no zone; all are in UTC. */
const HTTP_DATE = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? [\w :-]+?( GMT)?$/;

/**
 * A Retry-After header (RFC 9110, 10.2.3) in milliseconds from now; undefined where it says nothing usable. Parts of
 * seconds, which the RFC does not know, are understood as well.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000);
  // Date.parse alone takes many a text for a date, and "1.5" for a month.
  const [date, , , , , , zone] = HTTP_DATE.exec(header) ?? [];
  const atMs = date === undefined ? Number.NaN : Date.parse(zone ? date : `${date} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
