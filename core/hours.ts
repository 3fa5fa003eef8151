export const HOUR_MS = 3_600_000;

/** Of the hour (UTC) that the time is in, as text. */
export function beginningOfHour(time: Date): string {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS).toISOString();
}
