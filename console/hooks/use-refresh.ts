import { useEffect } from 'preact/hooks';
import { useInterval } from './use-interval.ts';

const EVERY_MS = 15_000;

/** Reloads data that others may change: at intervals, and when the window gets the focus. */
export function useRefresh(reload: () => void): void {
  useInterval(reload, EVERY_MS);
  useEffect(() => {
    window.addEventListener('focus', reload);
    return () => window.removeEventListener('focus', reload);
  }, [reload]);
}
