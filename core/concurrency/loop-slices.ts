import { setImmediate as waitForNextTurn } from 'node:timers/promises';

/**
 * Maximum time that long work takes in a turn of the event loop, in milliseconds. Requests can wait this long,
 * and most work fits into it. All callers share it, so many concurrent requests do not add up to a long turn.
 */
const SLICE_MS = 5;

/** Time at which long work began in the current turn of the event loop; undefined before such work. */
let sliceStartTime: number | undefined;
let lastYield: Promise<void> = Promise.resolve();

/** Returns the time at which long work began in this turn, which is now if there was none. */
function beginSlice(): number {
  if (sliceStartTime === undefined) {
    sliceStartTime = performance.now();
    setImmediate(() => (sliceStartTime = undefined));
  }
  return sliceStartTime;
}

/** Returns whether long work has used up its time in this turn of the event loop. */
export function isSliceOver(): boolean {
  return performance.now() - beginSlice() >= SLICE_MS;
}

/**
 * Yields to the event loop. Only one waiting caller resumes in each turn of the loop; if all callers resumed,
 * requests would wait for the work of all of them.
 */
export function yieldToEventLoop(): Promise<void> {
  lastYield = lastYield.then(async () => {
    await waitForNextTurn();
    beginSlice();
  });
  return lastYield;
}

/**
 * Number of promises to resolve before the first measurement of time. Together, the code that waits for them
 * takes some tens of milliseconds at most.
 */
const FIRST_GROUP = 4;

/**
 * Resolves promises in groups, and lets other work run between them if the code that waits for the promises takes
 * long. If all promises were resolved at once, this code would run in one turn of the event loop.
 * @param resolve function that resolves the promise with this index
 */
export async function resolveInTurns(count: number, resolve: (index: number) => void): Promise<void> {
  let groupSize = FIRST_GROUP;
  let turnStartTime = performance.now();
  for (let index = 0; index < count;) {
    const groupStartTime = performance.now();
    const end = Math.min(count, index + groupSize);
    const resolvedCount = end - index;
    for (; index < end; index += 1) resolve(index);
    if (index === count) return;
    // Node.js runs this after all microtasks, and so after the code that waits for the promises.
    await new Promise<void>((runNext) => process.nextTick(runNext));
    const now = performance.now();
    groupSize = Math.max(1, Math.floor((SLICE_MS * resolvedCount) / (now - groupStartTime)));
    if (now - turnStartTime < SLICE_MS) continue;
    await waitForNextTurn();
    turnStartTime = performance.now();
  }
}

/**
 * Yields to the event loop if long work has used up its time in this turn. Call this regularly during long
 * work.
 */
export async function pauseIfDue(): Promise<void> {
  if (isSliceOver()) await yieldToEventLoop();
}

/** Runs the steps of long work, with pauses when they are due. Returns the generator's result. */
export async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    await pauseIfDue();
    const step = steps.next();
    if (step.done) return step.value;
  }
}
