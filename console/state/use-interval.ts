import { useEffect, useRef } from 'react';

/**
 * Calls a function repeatedly while the page is visible.
 * @param everyMs interval; null to stop
 */
export function useInterval(call: () => void, everyMs: number | null): void {
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => {
    if (everyMs === null) return;
    const timer = window.setInterval(() => {
      if (!document.hidden) latest.current();
    }, everyMs);
    return () => window.clearInterval(timer);
  }, [everyMs]);
}
