import { availableParallelism } from 'node:os';
import { ExtractionThread } from './extraction-thread-client.ts';

/** Number of threads that can work in parallel; more would wait for a core. */
const MAX_THREADS = availableParallelism();
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
let busyCount = 0;

/**
 * Runs the work with an idle thread, or with a new one. A thread whose work failed is stopped.
 * @param patienceMs how long to wait for a busy thread, when all cores are in use, before another one is started
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

/** Hands the place, with the thread, to the next waiting caller. Returns false if there is none. */
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
