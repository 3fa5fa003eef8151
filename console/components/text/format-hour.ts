/** Formats an hour as `09:00`; 24 is midnight at the end of the day. */
export function formatHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
