import { setImmediate } from 'node:timers/promises';

/** Few enough to be through with in a millisecond or two, whatever is done with each. */
const STEP = 256 * 1024;

/** Goes through something long step by step, and lets others have their turn between two steps. */
export async function inSteps(length: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += STEP) {
    if (from > 0) await setImmediate();
    work(from, Math.min(from + STEP, length));
  }
}

/** Lets others have their turn before what cannot be done in steps is done with something of this length. */
export async function giveWay(length: number): Promise<void> {
  if (length > STEP) await setImmediate();
}
