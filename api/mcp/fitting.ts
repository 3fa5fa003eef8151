import { abridge, cutText } from '../../core/text/cut-text.ts';

/** Clients truncate results at 25,000 tokens; this is far fewer in any language. UTF-16 code units of JSON. */
export const MAX_CHARACTERS = 24_000;
/** Characters for the list itself and its surroundings. */
const RESERVED = 1000;

/** Truncates texts, and records whether it had to. */
export class Fitting {
  isCut = false;

  /** @param maxLength length in JSON, where some characters take six */
  text<T extends string | null>(text: T, maxLength: number): T {
    if (text === null || (text.length <= maxLength && lengthInJson(text) <= maxLength)) return text;
    this.isCut = true;
    return abridgedInJson(text, maxLength) as T;
  }

  /**
   * Returns the first items that fit; always at least one, so that a reader makes progress. Texts of an item are
   * cut by `text`.
   * @param used characters that other parts of the result take
   */
  items<T>(items: readonly T[], used = 0): T[] {
    let left = MAX_CHARACTERS - RESERVED - used;
    const fitting = items.findIndex((item) => (left -= JSON.stringify(item).length + 1) < 0);
    if (fitting === -1) return [...items];
    this.isCut = true;
    return items.slice(0, Math.max(fitting, 1));
  }
}

/** Length without the quotes. */
function lengthInJson(text: string): number {
  return JSON.stringify(text).length - 2;
}

/** Returns the longest beginning that fits, with an ellipsis. */
function abridgedInJson(text: string, maxLength: number): string {
  const whole = abridge(text, maxLength);
  if (lengthInJson(whole) <= maxLength) return whole;
  let fits = 0;
  let exceeds = maxLength;
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if (lengthInJson(cutText(text, middle)) < maxLength) fits = middle;
    else exceeds = middle;
  }
  return `${cutText(text, fits)}…`;
}
