import { isSliceOver, pauseIfDue, yieldToEventLoop } from './loop-slices.ts';

/** Number of characters or bytes of a long text or buffer that a caller processes in a few milliseconds. */
const SLICE_LENGTH = 256 * 1024;

/**
 * Number of characters or bytes of a text or buffer that a caller processes in some tenths of a millisecond.
 */
const SMALL_LENGTH = 16 * 1024;

/**
 * Calls `work` for each slice of a long text or buffer. Yields to the event loop between slices. Also yields
 * before the first slice if other work has used up the time of this turn.
 */
export async function forEachSlice(length: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += SLICE_LENGTH) {
    if (from > 0) await yieldToEventLoop();
    else if (length > SMALL_LENGTH) await pauseIfDue();
    work(from, Math.min(from + SLICE_LENGTH, length));
  }
}

/** Maps items one after the other. Yields to the event loop after each item. */
export async function mapCooperatively<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    results.push(await work(item, index));
    await yieldToEventLoop();
  }
  return results;
}

/**
 * Yields to the event loop before long work that cannot be split.
 * @param length number of characters or bytes to process
 */
export async function yieldBeforeLongWork(length: number): Promise<void> {
  if (length > SLICE_LENGTH || (length > SMALL_LENGTH && isSliceOver())) await yieldToEventLoop();
}

/** Splits a long text into slices. Does not split surrogate pairs. */
export function* splitText(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = Math.min(from + SLICE_LENGTH, text.length);
    const to = end + (isHighSurrogate(text.charCodeAt(end - 1)) ? 1 : 0);
    yield text.slice(from, to);
    from = to;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
