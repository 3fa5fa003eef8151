import type { SearchPlan } from './search-question.ts';
import type { MatchedChunk } from '../../../repositories/knowledge/chunk-search.sql.ts';

export interface TextCandidate {
  chunkId: string;
  /**
   * Rank of the chunk, from 0 to 1: it depends on how many of the question's words the chunk contains, and
   * how prominently.
   */
  score: number;
  /**
   * Relevance of the chunk, from 0 to 1: the share of the question's words that it contains, by weight. A
   * chunk is relevant from `RELEVANCE_LINE` on.
   */
  relevance: number;
}

/**
 * Minimum relevance of a chunk for a question. A chunk below it shares some words with the question but is
 * about something else.
 */
export const RELEVANCE_LINE = 0.5;
/**
 * Minimum relevance of a chunk for bots that must not guess. Chosen with one half of the questions of `bench
 * retrieval`. A higher value would also refuse questions that the documents answer.
 */
export const STRICT_RELEVANCE_LINE = 0.64;
/**
 * Fractions of the total weight of a question's words that a chunk must contain to be relevant. The fractions
 * are higher for trigrams, because unrelated words have trigrams in common by chance.
 */
const RELEVANCE_SHARES = {
  alone: 0.5,
  severalWords: 0.35,
  heading: 0.3,
  wordsBelowHeading: 0.3,
  gramsBelowHeading: 0.4,
};

/** Typical number of distinct lexemes in a chunk. A chunk with many more gets a lower score. */
const DILUTING_LENGTH = 133;
/** Maximum number of a document's best chunks from which the document's score is computed. */
const MAX_SCORED_CHUNKS = 4;

/**
 * Returns either the relevant or the irrelevant chunks for a question, best first. A chunk's score includes
 * its document's score, so that a page about a subject ranks above a page that mentions it.
 */
export function rankCandidates(
  chunks: MatchedChunk[],
  plan: SearchPlan,
  { usesTrigrams, isRelevant, line }: { usesTrigrams: boolean; isRelevant: boolean; line: number },
): TextCandidate[] {
  const scored = chunks
    .map((chunk) => ({
      chunk,
      own: calculateScore(chunk, plan),
      relevance: calculateRelevance(chunk, plan, usesTrigrams),
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

/** @param scores scores of the document's chunks, best first */
function calculateDocumentScore(scores: number[]): number {
  return scores.slice(0, MAX_SCORED_CHUNKS).reduce((sum, score) => sum + score, 0) / MAX_SCORED_CHUNKS;
}

/**
 * Returns the relevance of a chunk for a question. The chunk reaches `RELEVANCE_LINE` if it contains most of
 * the question's weight. A smaller share suffices for several words, or for words in a title or heading.
 */
function calculateRelevance(
  { covered, headingCovered, lexemeCount }: MatchedChunk,
  { expectedWeight }: SearchPlan,
  usesTrigrams: boolean,
): number {
  const share = covered / expectedWeight;
  const headingShare = headingCovered / expectedWeight;
  const inSeveralWords = !usesTrigrams && lexemeCount >= 2 ? share / RELEVANCE_SHARES.severalWords : 0;
  const below = usesTrigrams ? RELEVANCE_SHARES.gramsBelowHeading : RELEVANCE_SHARES.wordsBelowHeading;
  const inHeadings = Math.min(share / below, headingShare / RELEVANCE_SHARES.heading);
  return Math.min(1, RELEVANCE_LINE * Math.max(share / RELEVANCE_SHARES.alone, inSeveralWords, inHeadings));
}

/**
 * Returns the score of a chunk for a question, from 0 to 1. The weights of the score's parts add up to 1, and
 * were fitted to the questions of the tests.
 */
function calculateScore(chunk: MatchedChunk, { expectedWeight }: SearchPlan): number {
  const { covered, headingCovered, prominence, proximity, length } = chunk;
  const share = (weight: number) => Math.min(1, weight / expectedWeight);
  // Lowers the score of a long chunk, which contains many words by chance.
  const density = 1 / Math.max(1, 0.6 + length / DILUTING_LENGTH);
  return (
    0.29 * share(covered) +
    0.14 * share(headingCovered) +
    0.53 * share(prominence) * density +
    0.04 * proximity
  );
}
