import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/** Polls every 100 ms until `isTrue`. Returns false after `timeoutMs`. */
export async function pollWithin(timeoutMs: number, isTrue: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
