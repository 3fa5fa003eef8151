import { useEffect, useState } from 'react';

/**
 * Returns the latest value that remained unchanged for `pauseMs` milliseconds.
 * @param value a string or number, since objects with equal content would count as changes
 */
export function useDebounced<T extends string | number | null>(value: T, pauseMs: number): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => settle(value), pauseMs);
    return () => window.clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
