const LONGEST_PAUSE_MS = 15_000;

/** Waits before the next try to reach Parley, longer after each failure; not after the network is back, or the signal. */
export function pauseBefore(failures: number, signal: AbortSignal): Promise<void> {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures) * (0.75 + Math.random() / 2);
  return new Promise((resolve) => {
    const end = (): void => {
      window.clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = window.setTimeout(end, pauseMs);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
