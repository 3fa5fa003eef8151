import { useState } from 'react';
import { useInterval } from './use-interval.ts';

/** Returns the current time in milliseconds since the epoch, updated every `everyMs` milliseconds. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), everyMs);
  return now;
}
