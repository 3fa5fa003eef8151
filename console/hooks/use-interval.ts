import { useEffect, useRef } from 'preact/hooks';

/** Calls every so often while somebody looks at the page. @param everyMs null for never */
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
