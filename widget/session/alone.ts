import { newId } from '../../browser/new-id.ts';
import { wait } from './wait.ts';

/** Until other tabs see what was stored. */
const SEEN_MS = 100;
/** The same on a busy machine: whoever goes ahead too early makes a second session. */
const SURELY_SEEN_MS = 400;
/** A tab that is gone meanwhile keeps its turn for so long. */
const TURN_MS = 10_000;

/** What one tab of the site does at a time. @param storage null where tabs share nothing, and none waits */
export async function alone<T>(name: string, storage: Storage | null, work: () => Promise<T>): Promise<T> {
  // Only pages with https have locks.
  if (!('locks' in navigator)) return storage ? inTurn(`${name}:turn`, storage, work) : work();
  return new Promise((resolve, reject) => {
    void navigator.locks.request(name, async () => {
      await work().then(resolve, reject);
      await wait(SEEN_MS);
    });
  });
}

/** Of those that write down their turns at once, the last one has it. */
async function inTurn<T>(key: string, storage: Storage, work: () => Promise<T>): Promise<T> {
  const isTaken = () => {
    const leftMs = Number(storage.getItem(key)?.split(' ')[1]) - Date.now();
    return leftMs > 0 && leftMs <= TURN_MS;
  };
  let turn: string;
  do {
    while (isTaken()) await wait(SEEN_MS);
    turn = `${newId()} ${Date.now() + TURN_MS}`;
    try {
      storage.setItem(key, turn);
    } catch {
      // The site's storage is full.
      return work();
    }
    await wait(SURELY_SEEN_MS);
  } while (storage.getItem(key) !== turn);
  try {
    return await work();
  } finally {
    if (storage.getItem(key) === turn) storage.removeItem(key);
  }
}
