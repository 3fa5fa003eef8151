import { Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { formatAgo } from '../../browser/format-ago.ts';
import { formatFullTime } from './format-time.ts';

/** Shows how long ago something happened, and the full time on hover. */
export function RelativeTime({ at }: { at: string | null }) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 15_000, { autoInvoke: true });
  if (at === null) return <span>–</span>;
  const seconds = (now - new Date(at).getTime()) / 1000;
  return (
    <Tooltip label={formatFullTime(at)}>
      <time dateTime={at}>{seconds < 0 ? formatFullTime(at) : formatAgo(seconds)}</time>
    </Tooltip>
  );
}
