/** Matches a time in an archive: with an offset from UTC, and with at most nine decimals of seconds. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const LOCAL_LENGTH = 'YYYY-MM-DDTHH:mm:ss'.length;

/**
 * Whether a text is a valid time in an archive. Rejects days such as 30 February, which `Date` would accept
 * but PostgreSQL would not.
 */
export function isArchiveTime(text: string): boolean {
  if (!TIME.test(text) || Number.isNaN(Date.parse(text))) return false;
  const local = text.slice(0, LOCAL_LENGTH);
  return new Date(`${local}Z`).toISOString().startsWith(local);
}
