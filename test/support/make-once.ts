import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Milliseconds after which a lock is stale. No build takes this long, so the process that held the lock has died. */
const LOCK_STALE_MS = 15 * 60_000;
const LOOK_AGAIN_MS = 500;

/** Returns a path in this user's cache, which later runs share. */
export function cachePath(name: string): string {
  return join(homedir(), '.cache', 'parley', name);
}

/**
 * Makes a file or folder that later runs use. Concurrent processes block until the first has made it.
 * @param make writes to the path that it is given and returns whether it succeeded
 * @returns whether the file exists now
 */
export function makeOnce(path: string, make: (part: string) => boolean): boolean {
  mkdirSync(dirname(path), { recursive: true });
  const lock = `${path}.lock`;
  while (!existsSync(path)) {
    if (!acquireLock(lock)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
      continue;
    }
    const part = `${path}.${process.pid}`;
    try {
      if (existsSync(path)) return true;
      if (!make(part)) return false;
      renameSync(part, path);
    } finally {
      rmSync(part, { recursive: true, force: true });
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return true;
}

function acquireLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > LOCK_STALE_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
