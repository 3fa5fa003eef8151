import { normalizeText } from '../../core/text/normalize-text.ts';

/** Length at which the comparison truncates texts, in characters; no document of the corpora is that long. */
const MAX_CHARS = 50_000_000;

export interface WordScore {
  precision: number;
  recall: number;
  f1: number;
  /** Length of the longest common sequence of words, as a share of the words that both texts contain. */
  order: number;
}

/**
 * Compares the words that were read from a document with the words of the true text, regardless of case and
 * punctuation.
 */
export function scoreWords(text: string, truth: string): WordScore {
  const [words, expected] = [splitWords(text), splitWords(truth)];
  const hits = countCommon(words, expected);
  const precision = words.length > 0 ? hits / words.length : 0;
  const recall = expected.length > 0 ? hits / expected.length : 0;
  return {
    precision,
    recall,
    f1: hits > 0 ? (2 * precision * recall) / (precision + recall) : 0,
    order: hits > 0 ? countInOrder(words, expected) / hits : 1,
  };
}

function splitWords(text: string): string[] {
  return (
    normalizeText(text.replaceAll('\u00AD', ''), 'NFKC', MAX_CHARS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the length of the longest common subsequence of two lists of words (Hunt and Szymanski, 1977). */
function countInOrder(some: readonly string[], others: readonly string[]): number {
  const positions = new Map<string, number[]>();
  for (const [position, word] of others.entries())
    positions
      .set(word, positions.get(word) ?? [])
      .get(word)!
      .push(position);
  /** Smallest position at which a common subsequence can end, by its length minus one. */
  const ends: number[] = [];
  for (const word of some)
    // Visit the latest position first, so that one word adds at most one to the length of the subsequence.
    for (const position of positions.get(word)?.toReversed() ?? []) {
      let [low, high] = [0, ends.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (ends[middle]! < position) low = middle + 1;
        else high = middle;
      }
      ends[low] = position;
    }
  return ends.length;
}

function countCommon(some: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of some) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common += 1;
  }
  return common;
}
