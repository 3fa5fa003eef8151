const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Formats an age in seconds as relative time, such as "5 min ago".
 * @param seconds age; negative if the browser's clock is slow
 */
export function formatAgo(seconds: number): string {
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ago`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h ago`;
  return format.format(-Math.floor(seconds / DAY), 'day');
}
