/** @param day as a date field has it: `2026-01-31` @returns when it begins here; what is no day as it is */
export function startOfDay(day: string): string {
  const start = new Date(`${day}T00:00`);
  return Number.isNaN(start.getTime()) ? day : start.toISOString();
}
