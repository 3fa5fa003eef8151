import { Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { formatAgo } from '../../../browser/format-ago.ts';
import { formatFullTime } from './format-time.ts';

/** Seconds by which the displayed time may lag behind a new event. */
const MAX_LAG_S = 60;

/** Shows how long ago something happened, and the full time on hover. */
export function RelativeTime({ at }: { at: string | null }) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 15_000, { autoInvoke: true });
  if (at === null) return <span>–</span>;
  // `now` is older than an event that has just arrived.
  const seconds = (now - new Date(at).getTime()) / 1000;
  return (
    <Tooltip label={formatFullTime(at)}>
      <time dateTime={at}>{seconds < -MAX_LAG_S ? formatFullTime(at) : formatAgo(seconds)}</time>
    </Tooltip>
  );
}
