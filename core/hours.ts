export const HOUR_MS = 3_600_000;

/** Returns the start of the UTC hour that contains the time, in ISO 8601. */
export function startOfHour(time: Date): string {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS).toISOString();
}
