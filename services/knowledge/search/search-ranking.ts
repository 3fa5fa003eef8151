import type { SearchPlan } from './search-question.ts';
import type { MatchedChunk } from '../../../repositories/knowledge/chunk-search.sql.ts';

export interface TextCandidate {
  chunkId: string;
  /** From 0 to 1: how much of what the question is about the chunk says, and how prominently. */
  score: number;
  /** From 0 to 1: how much of what the question is about the chunk says, in words that count; from `RELEVANCE_LINE` on it is relevant. */
  relevance: number;
}

/** What is below this has some words of the question, and is not about it. */
export const RELEVANCE_LINE = 0.5;
/**
 * A bot that must not guess answers only where a passage reaches this. By the text of the tuning half of bench retrieval, where the
 * questions refused rightly go on growing only beside those refused wrongly.
 */
export const STRICT_RELEVANCE_LINE = 0.64;
/** Shares of a question, by weight, that bring a chunk to the first line. Words have grams in common by chance. */
const LINES = {
  alone: 0.5,
  severalWords: 0.35,
  heading: 0.3,
  wordsBelowHeading: 0.3,
  gramsBelowHeading: 0.4,
};

/** In distinct lexemes. */
const DILUTING_LENGTH = 133;
/** Chunks of a document that speak for it. */
const WITNESSES = 4;

/**
 * The chunks that reach a line of relevance, or else those that do not, best first. A chunk gains by its neighbours: a page about a subject comes
 * before one that mentions it.
 */
export function rankCandidates(
  chunks: MatchedChunk[],
  plan: SearchPlan,
  { isGrams, isRelevant, line }: { isGrams: boolean; isRelevant: boolean; line: number },
): TextCandidate[] {
  const scored = chunks
    .map((chunk) => ({ chunk, own: scoreOf(chunk, plan), relevance: relevanceOf(chunk, plan, isGrams) }))
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
      score: 0.7 * own + 0.3 * documentScore(scores.get(chunk.documentId) ?? []),
    }))
    .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}

/** @param scores best first */
function documentScore(scores: number[]): number {
  return scores.slice(0, WITNESSES).reduce((sum, score) => sum + score, 0) / WITNESSES;
}

/**
 * How far a chunk is about the question, and does not only share a word with it: most of what the question is about,
 * or a good part of it in several words, or in a title or heading, brings it to the line.
 */
function relevanceOf(
  { covered, headingCovered, lexemeCount }: MatchedChunk,
  { expectedWeight }: SearchPlan,
  isGrams: boolean,
): number {
  const share = covered / expectedWeight;
  const headingShare = headingCovered / expectedWeight;
  const inSeveralWords = !isGrams && lexemeCount >= 2 ? share / LINES.severalWords : 0;
  const below = isGrams ? LINES.gramsBelowHeading : LINES.wordsBelowHeading;
  const inHeadings = Math.min(share / below, headingShare / LINES.heading);
  return Math.min(1, RELEVANCE_LINE * Math.max(share / LINES.alone, inSeveralWords, inHeadings));
}

/** The shares add up to 1. Their sizes were fitted to the questions of the tests. */
function scoreOf(chunk: MatchedChunk, { expectedWeight }: SearchPlan): number {
  const { covered, headingCovered, prominence, proximity, length } = chunk;
  const share = (weight: number) => Math.min(1, weight / expectedWeight);
  // A long chunk has many words by chance.
  const density = 1 / Math.max(1, 0.6 + length / DILUTING_LENGTH);
  return (
    0.29 * share(covered) +
    0.14 * share(headingCovered) +
    0.53 * share(prominence) * density +
    0.04 * proximity
  );
}
