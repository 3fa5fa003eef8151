import { setTimeout as sleep } from 'node:timers/promises';

/** No longer than it takes: a machine that is busy with much else needs a multiple of what it does alone. */
export const PATIENCE_MS = 90_000;
const SOON_MS = 10;
const SELDOM_MS = 250;

/** Looks again after an eighth of the time that it has waited: soon at first, and rarely where something takes long. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const startedAt = Date.now();
  while (!(await isTrue())) {
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > PATIENCE_MS) throw new Error(`Waited ${PATIENCE_MS} ms in vain for ${what}.`);
    await sleep(Math.min(Math.max(waitedMs / 8, SOON_MS), SELDOM_MS));
  }
}
