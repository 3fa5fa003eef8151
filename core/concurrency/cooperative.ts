import { setImmediate } from 'node:timers/promises';

/** Characters or bytes that take a millisecond or two, whatever the work is. */
const SLICE_LENGTH = 256 * 1024;

/** Calls `work` for each slice of something long, and yields to the event loop between two slices. */
export async function forEachSlice(length: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += SLICE_LENGTH) {
    if (from > 0) await setImmediate();
    work(from, Math.min(from + SLICE_LENGTH, length));
  }
}

/** Maps one item after the other, and yields to the event loop after each. */
export async function mapCooperatively<T, R>(
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

/** Yields to the event loop before work on something of this length that cannot be sliced. */
export async function yieldBeforeLongWork(length: number): Promise<void> {
  if (length > SLICE_LENGTH) await setImmediate();
}

/** Splits a long text into slices. No slice ends within a surrogate pair. */
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
