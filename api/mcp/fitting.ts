import { abridged } from '../../core/text/cut-text.ts';

/** Clients cut a result of 25,000 tokens; this is far less of any language. In UTF-16 code units of JSON. */
export const MOST_CHARACTERS = 24_000;
/** For the list itself and what stands beside it. */
const RESERVED = 1000;

/** Cuts texts, and remembers whether it had to. */
export class Fitting {
  isCut = false;

  text<T extends string | null>(text: T, maxLength: number): T {
    if (text === null || text.length <= maxLength) return text;
    this.isCut = true;
    return abridged(text, maxLength) as T;
  }

  /**
   * The first of the items, as many as have room together.
   * @param used characters that other parts of the result take
   */
  items<T>(items: readonly T[], used = 0): T[] {
    let left = MOST_CHARACTERS - RESERVED - used;
    const fitting = items.findIndex((item) => (left -= JSON.stringify(item).length + 1) < 0);
    if (fitting === -1) return [...items];
    this.isCut = true;
    return items.slice(0, fitting);
  }
}
