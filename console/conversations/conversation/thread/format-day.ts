const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

const DAY_MS = 86_400_000;

/** Formats the time of day of a message. */
export function formatClock(at: string): string {
  return clock.format(new Date(at));
}

/** Formats the day of a message as Today, Yesterday, or a date. */
export function formatDayName(at: string, now = new Date()): string {
  const date = new Date(at);
  const name = date.toDateString();
  if (name === now.toDateString()) return 'Today';
  if (name === new Date(now.getTime() - DAY_MS).toDateString()) return 'Yesterday';
  return (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date);
}
