import { useEffect } from 'react';
import { useInterval } from './use-interval.ts';

const EVERY_MS = 15_000;

/** Calls `reload` regularly, and whenever the window gets the focus, to show changes made elsewhere. */
export function useRefresh(reload: () => void): void {
  useInterval(reload, EVERY_MS);
  useEffect(() => {
    window.addEventListener('focus', reload);
    return () => window.removeEventListener('focus', reload);
  }, [reload]);
}
