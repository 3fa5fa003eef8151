/** To the millisecond at most, in UTC. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** Whether it is a time as archives have them, of a day that there is: `Date` takes 30 February for 2 March, which PostgreSQL refuses. */
export function isArchiveTime(text: string): boolean {
  const millis = TIME.test(text) ? Date.parse(text) : NaN;
  return (
    Number.isFinite(millis) && new Date(millis).toISOString().startsWith(text.slice(0, 'YYYY-MM-DD'.length))
  );
}
