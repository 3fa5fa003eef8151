import { generateBrowserId } from '../../browser/new-id.ts';
import { wait } from './wait.ts';

/** Interval at which a tab polls for changes of other tabs. */
const POLL_MS = 20;
/** How long a tab waits until another tab's changes are visible. */
const MAX_SYNC_MS = 5000;
/** How long a tab without locks waits for competing claims of other tabs. */
const CLAIM_SETTLE_MS = 400;
/** Expiry of a claim whose tab was closed. */
const CLAIM_TTL_MS = 10_000;

/**
 * Runs `work` in one tab of the site at a time. Each run sees the changes that the previous one stored.
 * @param storage null if tabs share no storage; runs are then not exclusive
 */
export async function runExclusively<T>(
  name: string,
  storage: Storage | null,
  work: () => Promise<T>,
): Promise<T> {
  if (!storage) return work();
  const key = `${name}:turn`;
  // Pages without TLS have no locks.
  if (!('locks' in navigator)) return runWithClaim(key, storage, work);
  return navigator.locks.request(name, async () => {
    await waitForLastRun(key, storage);
    try {
      return await work();
    } finally {
      await publishRun(key, storage);
    }
  });
}

const readLastRun = (key: string, storage: Storage): number => Number(storage.getItem(key)) || 0;

/**
 * Waits until changes of earlier runs are visible. Browsers publish locks at once but storage late, so the names of
 * locks contain the number of the last run.
 */
async function waitForLastRun(key: string, storage: Storage): Promise<void> {
  const { held = [] } = await navigator.locks.query();
  const endedRuns = held.flatMap((lock) =>
    lock.name?.startsWith(key) ? [Number(lock.name.slice(key.length))] : [],
  );
  const lastRun = Math.max(0, ...endedRuns);
  for (let waitedMs = 0; readLastRun(key, storage) < lastRun && waitedMs < MAX_SYNC_MS; waitedMs += POLL_MS)
    await wait(POLL_MS);
}

/** Stores the number of this run, and holds a lock with that number until other tabs can see it. */
async function publishRun(key: string, storage: Storage): Promise<void> {
  const run = readLastRun(key, storage) + 1;
  try {
    storage.setItem(key, String(run));
  } catch {
    // The site's storage is full.
    return;
  }
  await new Promise<void>((resolve) => {
    void navigator.locks.request(`${key}${run}`, () => {
      resolve();
      return wait(MAX_SYNC_MS);
    });
  });
}

/** Runs `work` without locks: if tabs claim at the same time, the last one to write wins. */
async function runWithClaim<T>(key: string, storage: Storage, work: () => Promise<T>): Promise<T> {
  const isClaimed = () => {
    const leftMs = Number(storage.getItem(key)?.split(' ')[1]) - Date.now();
    return leftMs > 0 && leftMs <= CLAIM_TTL_MS;
  };
  let run: string;
  do {
    while (isClaimed()) await wait(POLL_MS);
    run = `${generateBrowserId()} ${Date.now() + CLAIM_TTL_MS}`;
    try {
      storage.setItem(key, run);
    } catch {
      // The site's storage is full.
      return work();
    }
    await wait(CLAIM_SETTLE_MS);
  } while (storage.getItem(key) !== run);
  try {
    return await work();
  } finally {
    if (storage.getItem(key) === run) storage.removeItem(key);
  }
}
