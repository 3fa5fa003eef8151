import { generateBrowserId } from '../../browser/new-id.ts';
import { wait } from './wait.ts';

/** Milliseconds between a tab's checks for changes that other tabs have stored. */
const POLL_MS = 20;
/** Maximum milliseconds that a tab waits for another tab's changes to become visible in the storage. */
const MAX_SYNC_MS = 5000;
/**
 * Milliseconds between storing a tab's claim to run and checking the claim. During this time, claims of other
 * tabs may replace it.
 */
const CLAIM_SETTLE_MS = 400;
/** Milliseconds after which a tab's claim to run expires, because the tab may have been closed. */
const CLAIM_TTL_MS = 10_000;

/**
 * Runs `work` in only one of the site's tabs at a time. Each run sees the changes that the previous run has
 * stored.
 * @param storage null if the tabs share no storage; then several tabs may run `work` at the same time
 */
export async function runExclusively<T>(
  name: string,
  storage: Storage | null,
  work: () => Promise<T>,
): Promise<T> {
  if (!storage) return work();
  const key = `${name}:turn`;
  // Use claims in the browser's storage instead: pages without TLS have no Web Locks.
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
 * Waits until the changes of earlier runs are visible in this tab. Other tabs see a lock at once but changed
 * storage only later. Each run therefore holds a lock whose name contains the run's number.
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

/**
 * Stores the number of this run in the browser's storage. Holds a lock with that number until other tabs can
 * see the stored number.
 */
async function publishRun(key: string, storage: Storage): Promise<void> {
  const run = readLastRun(key, storage) + 1;
  try {
    storage.setItem(key, String(run));
  } catch {
    // The browser's storage for this site is full, so the number cannot be stored.
    return;
  }
  await new Promise<void>((resolve) => {
    void navigator.locks.request(`${key}${run}`, () => {
      resolve();
      return wait(MAX_SYNC_MS);
    });
  });
}

/**
 * Runs `work` without Web Locks. If several tabs store a claim at the same time, the last tab to write runs
 * first.
 */
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
      // Run the work anyway: without space in the site's storage, no tab can store a claim.
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
