import type { SearchPlan } from './search-question.ts';

/** What a chunk has of a question; sums are over the weights of the lexemes that it contains. */
export interface MatchedChunk {
  chunkId: string;
  documentId: string;
  covered: number;
  headingCovered: number;
  /** Each weight times how often and how prominently the chunk has the lexeme, from 0 to 1. */
  prominence: number;
  lexemeCount: number;
  /** How near to each other it has them, from 0 to 1. */
  proximity: number;
  /** Distinct lexemes. */
  length: number;
}

export interface TextCandidate {
  chunkId: string;
  /** From 0 to 1: how much of what the question is about the chunk says, and how prominently. */
  score: number;
}

/** In distinct lexemes. */
const DILUTING_LENGTH = 133;
/** Chunks of a document that speak for it. */
const WITNESSES = 4;

/** The relevant chunks, best first. A chunk gains by its neighbours: a page about a subject comes before one that mentions it. */
export function rankCandidates(chunks: MatchedChunk[], plan: SearchPlan, isGrams: boolean): TextCandidate[] {
  const scored = chunks
    .filter((chunk) => isRelevant(chunk, plan, isGrams))
    .map((chunk) => ({ chunk, own: scoreOf(chunk, plan) }))
    .sort((a, b) => b.own - a.own);
  const scores = new Map<string, number[]>();
  for (const { chunk, own } of scored) {
    scores.set(chunk.documentId, [...(scores.get(chunk.documentId) ?? []), own]);
  }
  return scored
    .map(({ chunk, own }) => ({
      chunkId: chunk.chunkId,
      score: 0.7 * own + 0.3 * documentScore(scores.get(chunk.documentId) ?? []),
    }))
    .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}

/** @param scores best first */
function documentScore(scores: number[]): number {
  return scores.slice(0, WITNESSES).reduce((sum, score) => sum + score, 0) / WITNESSES;
}

/**
 * Whether a chunk is about the question, and not only shares a word with it: most of what the question is about,
 * or a good part of it in several words, or in a title or heading.
 */
function isRelevant(
  { covered, headingCovered, lexemeCount }: MatchedChunk,
  { expectedWeight }: SearchPlan,
  isGrams: boolean,
): boolean {
  const share = covered / expectedWeight;
  const headingShare = headingCovered / expectedWeight;
  if (isGrams) return share >= 0.5 || (share >= 0.4 && headingShare >= 0.3);
  return share >= 0.5 || (share >= 0.35 && lexemeCount >= 2) || (share >= 0.3 && headingShare >= 0.3);
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
