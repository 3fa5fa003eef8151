/** UTC, with at most milliseconds. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** Whether a text is a valid archive time. `Date` reads 30 February as 2 March, which PostgreSQL refuses. */
export function isArchiveTime(text: string): boolean {
  const millis = TIME.test(text) ? Date.parse(text) : NaN;
  return (
    Number.isFinite(millis) && new Date(millis).toISOString().startsWith(text.slice(0, 'YYYY-MM-DD'.length))
  );
}
