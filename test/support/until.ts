import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** No longer than it takes: a machine that is busy with much else needs a multiple of what it does alone. */
export const PATIENCE_MS = 90_000;
const SOON_MS = 10;
const SELDOM_MS = 250;

/** Looks again after an eighth of the time that it has waited: soon at first, and rarely where something takes long. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const startedAt = Date.now();
  while (!(await isTrue())) {
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > patienceMs) throw new Error(`Waited ${patienceMs} ms in vain for ${what}.`);
    await sleep(Math.min(Math.max(waitedMs / 8, SOON_MS), SELDOM_MS));
  }
}

type Look<T> = () => T | Promise<T>;

/** Waits until `look` finds this: what a page shows, and where its focus is, follows what somebody does a moment later. */
export function untilEqual<T>(look: Look<T>, expected: NoInfer<T>, message?: string): Promise<void> {
  return untilPasses(look, (found) => assert.deepEqual(found, expected, message));
}

/** The same of a text. */
export function untilMatches(look: Look<string>, pattern: RegExp): Promise<void> {
  return untilPasses(look, (found) => assert.match(found, pattern));
}

/** @throws what is wrong with what was found last */
async function untilPasses<T>(look: Look<T>, check: (found: T) => void): Promise<void> {
  let failure: unknown;
  const passes = async () => {
    const found = await look();
    try {
      check(found);
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  if (!(await passes())) await until(passes, 'it').catch(() => Promise.reject(failure));
}
