import { Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { formatAgo } from '../../../browser/format-ago.ts';
import { formatFullTime } from './format-time.ts';

/** Maximum seconds by which the component's clock may lag behind the time of a new event. */
const MAX_LAG_S = 60;

/** Shows how long ago an event was, and its full time on hover. */
export function RelativeTime({ at }: { at: string | null }) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 15_000, { autoInvoke: true });
  if (at === null) return <span>–</span>;
  // The component's clock `now` may be behind the time of an event that has just arrived.
  const seconds = (now - new Date(at).getTime()) / 1000;
  return (
    <Tooltip label={formatFullTime(at)}>
      <time dateTime={at}>{seconds < -MAX_LAG_S ? formatFullTime(at) : formatAgo(seconds)}</time>
    </Tooltip>
  );
}
