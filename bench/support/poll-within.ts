import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/** Checks a condition every 100 ms until it is true. Returns false if it is not true within `timeoutMs`. */
export async function pollWithin(timeoutMs: number, isTrue: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
