import { newId } from '../../browser/new-id.ts';
import { wait } from './wait.ts';

/** How often a tab looks for what another tab stores. */
const LOOK_MS = 20;
/** The longest time for which a tab waits to see what another one stored. */
const MAX_UNSEEN_MS = 5000;
/** How long a tab without locks waits for others that take the same turn. */
const CLAIM_MS = 400;
/** How long a turn lasts whose tab is gone. */
const TURN_MS = 10_000;

/**
 * Runs `work` in one tab of the site at a time; each run sees what the one before has stored.
 * @param storage null where tabs share nothing, and none waits
 */
export async function alone<T>(name: string, storage: Storage | null, work: () => Promise<T>): Promise<T> {
  if (!storage) return work();
  const key = `${name}:turn`;
  // Only pages with https have locks.
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

/** Browsers tell other tabs at once who holds a lock, but late what was stored: locks carry the number of the turn. */
async function seeLastTurn(key: string, storage: Storage): Promise<void> {
  const { held = [] } = await navigator.locks.query();
  const ended = held.flatMap((lock) =>
    lock.name?.startsWith(key) ? [Number(lock.name.slice(key.length))] : [],
  );
  const last = Math.max(0, ...ended);
  for (let waited = 0; lastTurn(key, storage) < last && waited < MAX_UNSEEN_MS; waited += LOOK_MS)
    await wait(LOOK_MS);
}

/** Numbers the turn after all that it stored, and holds a lock of that number until other tabs see it. */
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

/** Of those that write down their turns at once, the last one has it. */
async function inTurn<T>(key: string, storage: Storage, work: () => Promise<T>): Promise<T> {
  const isTaken = () => {
    const leftMs = Number(storage.getItem(key)?.split(' ')[1]) - Date.now();
    return leftMs > 0 && leftMs <= TURN_MS;
  };
  let turn: string;
  do {
    while (isTaken()) await wait(LOOK_MS);
    turn = `${newId()} ${Date.now() + TURN_MS}`;
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
