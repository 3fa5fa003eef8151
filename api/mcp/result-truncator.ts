import { abridge, cutText } from '../../core/text/cut-text.ts';

/**
 * Maximum length of an MCP tool's result as JSON, in UTF-16 code units. In any language, such a result stays
 * far below 25,000 tokens, at which MCP clients truncate results.
 */
export const MAX_CHARACTERS = 24_000;
/** Number of characters reserved for the parts of a tool's result around its items. */
const RESERVED = 1000;

/**
 * Shortens texts and lists to fit the maximum length of a tool's result; `isTruncated` says whether any of
 * them was shortened.
 */
export class ResultTruncator {
  isTruncated = false;

  /**
   * Shortens a text.
   * @param maxLength maximum length as JSON, where some characters take six
   */
  truncateText<T extends string | null>(text: T, maxLength: number): T {
    if (text === null || (text.length <= maxLength && lengthInJson(text) <= maxLength)) return text;
    this.isTruncated = true;
    return abridgeToJsonLength(text, maxLength) as T;
  }

  /**
   * Returns the first items of a list that fit into a tool's result, at least one so that paging advances. If
   * even the first item is too long, shortens it.
   * @param used number of characters of the rest of the result
   */
  truncateItems<T>(items: readonly T[], used = 0): T[] {
    let remaining = MAX_CHARACTERS - RESERVED - used;
    const cutAt = items.findIndex((item) => (remaining -= JSON.stringify(item).length + 1) < 0);
    if (cutAt === -1) return [...items];
    this.isTruncated = true;
    return items.slice(0, Math.max(cutAt, 1));
  }
}

/** Returns the length of a text in JSON, without the quotes. */
function lengthInJson(text: string): number {
  return JSON.stringify(text).length - 2;
}

/** Returns the longest start of a text whose JSON has at most `maxLength` characters, with an ellipsis. */
function abridgeToJsonLength(text: string, maxLength: number): string {
  const abridged = abridge(text, maxLength);
  if (lengthInJson(abridged) <= maxLength) return abridged;
  let fits = 0;
  let exceeds = maxLength;
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if (lengthInJson(cutText(text, middle)) < maxLength) fits = middle;
    else exceeds = middle;
  }
  return `${cutText(text, fits)}…`;
}
