import { useEffect, useState } from 'preact/hooks';

/**
 * Returns the value once it has not changed for `pauseMs`.
 * @param value compared by identity, hence a text or a number
 */
export function useDebounced<T extends string | number | null>(value: T, pauseMs: number): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => settle(value), pauseMs);
    return () => window.clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
