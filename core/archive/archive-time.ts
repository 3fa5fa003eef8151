/** Time in UTC, with at most three decimals of seconds. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/**
 * Whether a text is a valid time in an archive. Rejects days such as 30 February, which `Date` would accept
 * but PostgreSQL would not.
 */
export function isArchiveTime(text: string): boolean {
  const millis = TIME.test(text) ? Date.parse(text) : NaN;
  return (
    Number.isFinite(millis) && new Date(millis).toISOString().startsWith(text.slice(0, 'YYYY-MM-DD'.length))
  );
}
