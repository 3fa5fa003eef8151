import { useNow } from '../hooks/use-now.ts';
import { fullTime } from './time-text.tsx';

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago something was, in words; the whole time when one points at it. */
export function RelativeTime({ at }: { at: string | null }) {
  const now = useNow(15_000);
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={fullTime(at)}>
      {agoText((now - new Date(at).getTime()) / 1000)}
    </time>
  );
}

/** @param seconds since then; a clock that is behind makes them fewer than none */
function agoText(seconds: number): string {
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return format.format(-Math.floor(seconds / MINUTE), 'minute');
  if (seconds < DAY) return format.format(-Math.floor(seconds / HOUR), 'hour');
  return format.format(-Math.floor(seconds / DAY), 'day');
}
