/** A range of days as YYYY-MM-DD. `from` is inclusive and `to` is exclusive. */
export interface DayRange {
  from: string;
  to: string;
}

/**
 * Returns the month that contains a day, as a range of days.
 * @param day YYYY-MM-DD or YYYY-MM
 */
export function toMonthRange(day: string): DayRange {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return { from: firstDay(year, month - 1), to: firstDay(year, month) };
}

function firstDay(year: number, monthIndex: number): string {
  return new Date(Date.UTC(year, monthIndex, 1)).toISOString().slice(0, 10);
}
