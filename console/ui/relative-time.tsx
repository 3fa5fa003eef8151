import { formatAgo } from '../../browser/format-ago.ts';
import { useNow } from '../hooks/use-now.ts';
import { formatFullTime } from './format-time.ts';

/** Shows how long ago something happened. The tooltip shows the full time. */
export function RelativeTime({ at }: { at: string | null }) {
  const now = useNow(15_000);
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={formatFullTime(at)}>
      {formatAgo((now - new Date(at).getTime()) / 1000)}
    </time>
  );
}
