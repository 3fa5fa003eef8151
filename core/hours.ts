export const HOUR_MS = 3_600_000;

/** Returns the start of the time's hour (UTC), as text. */
export function beginningOfHour(time: Date): string {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS).toISOString();
}
