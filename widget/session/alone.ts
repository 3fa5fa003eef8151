import { generateBrowserId } from '../../browser/new-id.ts';
import { wait } from './wait.ts';

/** Interval at which a tab polls for changes of other tabs. */
const LOOK_MS = 20;
/** How long a tab waits until another tab's changes are visible. */
const MAX_UNSEEN_MS = 5000;
/** How long a tab without locks waits for competing claims of other tabs. */
const CLAIM_MS = 400;
/** Expiry of a claim whose tab was closed. */
const TURN_MS = 10_000;

/**
 * Runs `work` in one tab of the site at a time. Each run sees the changes that the previous one stored.
 * @param storage null if tabs share no storage; runs are then not exclusive
 */
export async function alone<T>(name: string, storage: Storage | null, work: () => Promise<T>): Promise<T> {
  if (!storage) return work();
  const key = `${name}:turn`;
  // Pages without TLS have no locks.
  if (!('locks' in navigator)) return inTurn(key, storage, work);
  return navigator.locks.request(name, async () => {
    await seeLastTurn(key, storage);
    try {
      return await work();
    } finally {
      await endTurn(key, storage);
    }
  });
}

const lastTurn = (key: string, storage: Storage): number => Number(storage.getItem(key)) || 0;

/**
 * Waits until changes of earlier runs are visible. Browsers publish locks at once but storage late, so the names of
 * locks contain the number of the last run.
 */
async function seeLastTurn(key: string, storage: Storage): Promise<void> {
  const { held = [] } = await navigator.locks.query();
  const ended = held.flatMap((lock) =>
    lock.name?.startsWith(key) ? [Number(lock.name.slice(key.length))] : [],
  );
  const last = Math.max(0, ...ended);
  for (let waited = 0; lastTurn(key, storage) < last && waited < MAX_UNSEEN_MS; waited += LOOK_MS)
    await wait(LOOK_MS);
}

/** Stores the number of this run, and holds a lock with that number until other tabs can see it. */
async function endTurn(key: string, storage: Storage): Promise<void> {
  const turn = lastTurn(key, storage) + 1;
  try {
    storage.setItem(key, String(turn));
  } catch {
    // The site's storage is full.
    return;
  }
  await new Promise<void>((resolve) => {
    void navigator.locks.request(`${key}${turn}`, () => {
      resolve();
      return wait(MAX_UNSEEN_MS);
    });
  });
}

/** Runs `work` without locks: if tabs claim at the same time, the last one to write wins. */
async function inTurn<T>(key: string, storage: Storage, work: () => Promise<T>): Promise<T> {
  const isTaken = () => {
    const leftMs = Number(storage.getItem(key)?.split(' ')[1]) - Date.now();
    return leftMs > 0 && leftMs <= TURN_MS;
  };
  let turn: string;
  do {
    while (isTaken()) await wait(LOOK_MS);
    turn = `${generateBrowserId()} ${Date.now() + TURN_MS}`;
    try {
      storage.setItem(key, turn);
    } catch {
      // The site's storage is full.
      return work();
    }
    await wait(CLAIM_MS);
  } while (storage.getItem(key) !== turn);
  try {
    return await work();
  } finally {
    if (storage.getItem(key) === turn) storage.removeItem(key);
  }
}
