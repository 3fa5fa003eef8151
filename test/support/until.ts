import { setTimeout as sleep } from 'node:timers/promises';

/** No longer than it takes: a machine that is busy with much else needs a multiple of what it does alone. */
export const PATIENCE_MS = 90_000;

export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Waited ${PATIENCE_MS} ms in vain for ${what}.`);
    await sleep(20);
  }
}
