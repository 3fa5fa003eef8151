import { useEffect } from 'preact/hooks';
import { useInterval } from './use-interval.ts';

const EVERY_MS = 15_000;

/** Loads again what others may change meanwhile: every so often, and as somebody comes back to the window. */
export function useRefresh(reload: () => void): void {
  useInterval(reload, EVERY_MS);
  useEffect(() => {
    window.addEventListener('focus', reload);
    return () => window.removeEventListener('focus', reload);
  }, [reload]);
}
