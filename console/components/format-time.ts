const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export function formatFullTime(at: string): string {
  return format.format(new Date(at));
}
