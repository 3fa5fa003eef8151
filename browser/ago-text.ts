const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago something was, in words. @param seconds since then; a clock that is behind makes them fewer than none */
export function agoText(seconds: number): string {
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return format.format(-Math.floor(seconds / MINUTE), 'minute');
  if (seconds < DAY) return format.format(-Math.floor(seconds / HOUR), 'hour');
  return format.format(-Math.floor(seconds / DAY), 'day');
}
