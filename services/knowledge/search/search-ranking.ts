import type { SearchPlan } from './search-question.ts';
import type { MatchedChunk } from '../../../repositories/knowledge/chunk-search.sql.ts';

export interface TextCandidate {
  chunkId: string;
  /** Coverage of the question's subject, and its prominence in the chunk; 0 to 1. */
  score: number;
  /**
   * Coverage of the question's subject by significant words; 0 to 1. From `RELEVANCE_LINE` on, the chunk is relevant.
   */
  relevance: number;
}

/** A chunk below this line shares some words with the question but is not about it. */
export const RELEVANCE_LINE = 0.5;
/**
 * A bot that must not guess answers only if a passage reaches this line. Chosen by the tuning half of bench retrieval
 * (text):
 * above it, further correct refusals come only with further wrong ones.
 */
export const STRICT_RELEVANCE_LINE = 0.64;
/**
 * Shares of a question's weight that make a chunk relevant. Shares are higher for trigrams, which words have in
 * common by chance.
 */
const RELEVANCE_SHARES = {
  alone: 0.5,
  severalWords: 0.35,
  heading: 0.3,
  wordsBelowHeading: 0.3,
  gramsBelowHeading: 0.4,
};

/** Number of distinct lexemes. */
const DILUTING_LENGTH = 133;
/** Number of a document's best chunks that count for its score. */
const MAX_SCORED_CHUNKS = 4;

/**
 * Returns the chunks that reach the line of relevance, or those that do not, best first. A chunk's score includes its
 * document's,
 * so that a page about a subject ranks above a page that mentions it.
 */
export function rankCandidates(
  chunks: MatchedChunk[],
  plan: SearchPlan,
  { isGrams, isRelevant, line }: { isGrams: boolean; isRelevant: boolean; line: number },
): TextCandidate[] {
  const scored = chunks
    .map((chunk) => ({
      chunk,
      own: calculateScore(chunk, plan),
      relevance: calculateRelevance(chunk, plan, isGrams),
    }))
    .filter(({ relevance }) => relevance >= line === isRelevant)
    .sort((a, b) => b.own - a.own);
  const scores = new Map<string, number[]>();
  for (const { chunk, own } of scored) {
    scores.set(chunk.documentId, [...(scores.get(chunk.documentId) ?? []), own]);
  }
  return scored
    .map(({ chunk, own, relevance }) => ({
      chunkId: chunk.chunkId,
      relevance,
      score: 0.7 * own + 0.3 * calculateDocumentScore(scores.get(chunk.documentId) ?? []),
    }))
    .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}

/** @param scores best first */
function calculateDocumentScore(scores: number[]): number {
  return scores.slice(0, MAX_SCORED_CHUNKS).reduce((sum, score) => sum + score, 0) / MAX_SCORED_CHUNKS;
}

/**
 * Returns how relevant a chunk is, beyond sharing a single word with the question. A chunk reaches the line with most
 * of the
 * question's weight, or with less of it in several words, or in a title or heading.
 */
function calculateRelevance(
  { covered, headingCovered, lexemeCount }: MatchedChunk,
  { expectedWeight }: SearchPlan,
  isGrams: boolean,
): number {
  const share = covered / expectedWeight;
  const headingShare = headingCovered / expectedWeight;
  const inSeveralWords = !isGrams && lexemeCount >= 2 ? share / RELEVANCE_SHARES.severalWords : 0;
  const below = isGrams ? RELEVANCE_SHARES.gramsBelowHeading : RELEVANCE_SHARES.wordsBelowHeading;
  const inHeadings = Math.min(share / below, headingShare / RELEVANCE_SHARES.heading);
  return Math.min(1, RELEVANCE_LINE * Math.max(share / RELEVANCE_SHARES.alone, inSeveralWords, inHeadings));
}

/** Weights add up to 1. They were fitted to the questions of the tests. */
function calculateScore(chunk: MatchedChunk, { expectedWeight }: SearchPlan): number {
  const { covered, headingCovered, prominence, proximity, length } = chunk;
  const share = (weight: number) => Math.min(1, weight / expectedWeight);
  // A long chunk contains many words by chance.
  const density = 1 / Math.max(1, 0.6 + length / DILUTING_LENGTH);
  return (
    0.29 * share(covered) +
    0.14 * share(headingCovered) +
    0.53 * share(prominence) * density +
    0.04 * proximity
  );
}
