import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Timeout in milliseconds of all waiting in tests, long enough for a busy machine. */
export const PATIENCE_MS = 90_000;
const SOON_MS = 10;
const SELDOM_MS = 250;

/**
 * Polls until the condition is true. Each pause is an eighth of the time waited, from 10 to 250 ms.
 * @throws Error after `patienceMs`
 */
export async function waitUntil(
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

/** Waits until `look` returns this value, since a page and its focus change a moment after an action. */
export function waitUntilEqual<T>(look: Look<T>, expected: NoInfer<T>, message?: string): Promise<void> {
  return waitUntilPasses(look, (found) => assert.deepEqual(found, expected, message));
}

/** Waits until `look` returns a text that matches. */
export function waitUntilMatches(look: Look<string>, pattern: RegExp): Promise<void> {
  return waitUntilPasses(look, (found) => assert.match(found, pattern));
}

/** @throws AssertionError of the last check */
async function waitUntilPasses<T>(look: Look<T>, check: (found: T) => void): Promise<void> {
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
  if (!(await passes())) await waitUntil(passes, 'it').catch(() => Promise.reject(failure));
}
