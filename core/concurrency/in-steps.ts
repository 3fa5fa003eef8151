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

/** Does something with one after the other, and lets others have their turn after each. */
export async function mapInSteps<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (const [index, item] of items.entries()) {
    done.push(await work(item, index));
    await setImmediate();
  }
  return done;
}

/** Lets others have their turn before what cannot be done in steps is done with something of this length. */
export async function giveWay(length: number): Promise<void> {
  if (length > STEP) await setImmediate();
}

/** A long text piece by piece, of which none ends within a character. */
export function* piecesOf(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = Math.min(from + STEP, text.length);
    const to = end + (isFirstOfPair(text.charCodeAt(end - 1)) ? 1 : 0);
    yield text.slice(from, to);
    from = to;
  }
}

function isFirstOfPair(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
