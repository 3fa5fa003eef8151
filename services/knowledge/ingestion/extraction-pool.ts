import { availableParallelism } from 'node:os';
import { ExtractionThread } from './extraction-thread-client.ts';

/** Maximum number of worker threads that read documents at the same time, one per CPU core. */
const MAX_THREADS = availableParallelism();
/**
 * Time in milliseconds for which an idle thread is kept for the next document. Starting a thread takes longer
 * than reading a hundred small documents.
 */
const IDLE_MS = 30_000;
/**
 * Time in milliseconds to wait for a busy thread before a new thread is started. A new thread takes about as
 * long to start, and most documents are read within this time.
 */
const PATIENCE_MS = 500;

const idle: ExtractionThread[] = [];
/**
 * Callers that wait for a thread to read a document, oldest first. Each callback gets the released thread, or
 * undefined if that thread has ended.
 */
const waiting: ((thread?: ExtractionThread) => void)[] = [];
/**
 * Number of documents that threads are reading. When one ends, a waiting caller takes over its slot, so the
 * count stays the same.
 */
let busyCount = 0;

/**
 * Runs the reading of a document with an idle thread or a new thread. A thread whose work failed is stopped.
 * @param patienceMs how long to wait for a busy thread, if all cores are in use, before another thread is
 *   started
 */
export async function withThread<T>(
  work: (thread: ExtractionThread) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const thread = await takeThread(patienceMs);
  let result: T;
  try {
    result = await work(thread);
  } catch (error) {
    releaseSlot();
    await thread.stop();
    throw error;
  }
  await returnThread(thread);
  return result;
}

/**
 * Stops all idle threads, then runs the reading of a document with a new thread. The new thread is stopped as
 * well, because the operating system gets back all memory only when a thread ends.
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

/**
 * Returns an idle or a new thread that can read a document. If all cores are in use, first waits for a busy
 * thread, which is usually free before a new thread has started.
 */
async function takeThread(patienceMs: number): Promise<ExtractionThread> {
  const thread = busyCount < MAX_THREADS ? takeSlot() : await waitForThread(patienceMs);
  return thread ?? new ExtractionThread(removeIdle);
}

function takeSlot(): ExtractionThread | undefined {
  busyCount += 1;
  return idle.pop();
}

function waitForThread(patienceMs: number): Promise<ExtractionThread | undefined> {
  return new Promise((resolve) => {
    const go = (thread?: ExtractionThread): void => {
      clearTimeout(timer);
      resolve(thread);
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(go), 1);
      resolve(takeSlot());
    }, patienceMs);
    waiting.push(go);
  });
}

async function returnThread(thread: ExtractionThread): Promise<void> {
  thread.waitForNext(IDLE_MS);
  if (releaseSlot(thread)) return;
  if (idle.length >= MAX_THREADS) await thread.stop();
  else idle.push(thread);
}

/** Passes the slot and its thread to the next waiting caller. Returns false if no caller waits. */
function releaseSlot(thread?: ExtractionThread): boolean {
  const next = waiting.shift();
  next?.(thread);
  if (!next) busyCount -= 1;
  return next !== undefined;
}

function removeIdle(thread: ExtractionThread): void {
  const index = idle.indexOf(thread);
  if (index >= 0) idle.splice(index, 1);
}
