import { useEffect, useState } from 'preact/hooks';

/** What somebody types, once they have paused. @param value compared as it is, so a text or a number */
export function useSettled<T extends string | number | null>(value: T, pauseMs: number): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => settle(value), pauseMs);
    return () => window.clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
