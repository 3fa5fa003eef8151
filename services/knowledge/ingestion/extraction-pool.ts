import { availableParallelism } from 'node:os';
import { ExtractionThread } from './extraction-thread-client.ts';

/** As many as work at once in a crowd of documents; further ones would only wait for a core. */
const KEPT = availableParallelism();
/** A thread is kept this long for the next document: to start one costs more than to read a hundred small ones. */
const IDLE_MS = 30_000;
/** About what it costs to start one: within it, most documents are read. */
const PATIENCE_MS = 500;

const idle: ExtractionThread[] = [];
/** Those who wait are called with the thread of somebody who has ended, or with none if it ended too. */
const waiting: ((thread?: ExtractionThread) => void)[] = [];
/** How many read now; who waits takes the place of who ends. */
let lent = 0;

/**
 * Does the work with a thread that has read others before, if there is one. One that did not end well is not used again.
 * @param patienceMs how long to wait for one of those that read, when they keep all cores busy, before another one is started
 */
export async function withThread<T>(
  work: (thread: ExtractionThread) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const thread = await takeThread(patienceMs);
  let done: T;
  try {
    done = await work(thread);
  } catch (error) {
    leave();
    await thread.stop();
    throw error;
  }
  await giveBack(thread);
  return done;
}

/**
 * Does the work with a thread of its own while none is kept for others, and ends it afterwards: only then does the system have
 * all of its memory back.
 */
export async function withOwnThread<T>(work: (thread: ExtractionThread) => Promise<T>): Promise<T> {
  await Promise.all(idle.splice(0).map((thread) => thread.stop()));
  const thread = new ExtractionThread(() => {});
  try {
    return await work(thread);
  } finally {
    await thread.stop();
  }
}

/** While others keep all cores busy, one of theirs comes free sooner than a new one has started, unless they are slow to read. */
async function takeThread(patienceMs: number): Promise<ExtractionThread> {
  const thread = lent < KEPT ? takePlace() : await comingFree(patienceMs);
  return thread ?? new ExtractionThread(forget);
}

function takePlace(): ExtractionThread | undefined {
  lent += 1;
  return idle.pop();
}

function comingFree(patienceMs: number): Promise<ExtractionThread | undefined> {
  return new Promise((resolve) => {
    const go = (thread?: ExtractionThread): void => {
      clearTimeout(timer);
      resolve(thread);
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(go), 1);
      resolve(takePlace());
    }, patienceMs);
    waiting.push(go);
  });
}

async function giveBack(thread: ExtractionThread): Promise<void> {
  thread.rest(IDLE_MS);
  if (leave(thread)) return;
  if (idle.length >= KEPT) await thread.stop();
  else idle.push(thread);
}

/** Whether somebody else has the place now, and the thread. */
function leave(thread?: ExtractionThread): boolean {
  const next = waiting.shift();
  next?.(thread);
  if (!next) lent -= 1;
  return next !== undefined;
}

function forget(thread: ExtractionThread): void {
  const place = idle.indexOf(thread);
  if (place >= 0) idle.splice(place, 1);
}
