/**
 * Converts a day to the timestamp of its start in the browser's time zone; returns invalid input unchanged.
 * @param day value of a date input, such as `2026-01-31`
 */
export function parseStartOfDay(day: string): string {
  const start = new Date(`${day}T00:00`);
  return Number.isNaN(start.getTime()) ? day : start.toISOString();
}
