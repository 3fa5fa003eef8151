import { availableParallelism } from 'node:os';
import { ExtractionThread } from './extraction-thread-client.ts';

/** Number of threads that can work in parallel; more would wait for a core. */
const KEPT = availableParallelism();
/**
 * How long an idle thread waits for the next document. Starting one takes longer than reading a hundred small
 * documents.
 */
const IDLE_MS = 30_000;
/** About the time that it takes to start a thread. Most documents are read within it. */
const PATIENCE_MS = 500;

const idle: ExtractionThread[] = [];
/** Waiting callers. Each is called with the thread of a finished caller, or without one if that thread has ended. */
const waiting: ((thread?: ExtractionThread) => void)[] = [];
/** Number of documents that are being read. A waiting caller takes over the place of a finished one. */
let lent = 0;

/**
 * Runs the work with an idle thread, or with a new one. A thread whose work failed is stopped.
 * @param patienceMs how long to wait for a busy thread, when all cores are in use, before another one is started
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
 * Runs the work with a new thread and stops all idle threads first. The new thread is stopped afterwards, since only
 * then does
 * the operating system get back all its memory.
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

/** Waits for a busy thread while all cores are in use: it usually becomes free before a new one has started. */
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

/** Hands the place, with the thread, to the next waiting caller. Returns false if there is none. */
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
