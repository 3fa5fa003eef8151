let format = createFormat(null);
let timeZone: string | null = null;

/** Sets the time zone in which the console shows all times; null for the browser's time zone. */
export function setTimeZone(zone: string | null): void {
  if (zone === timeZone) return;
  timeZone = zone;
  format = createFormat(zone);
}

export function formatFullTime(at: string): string {
  return format.format(new Date(at));
}

function createFormat(zone: string | null): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(zone !== null && { timeZone: zone }),
  });
}
