/** Damps the first ranks, so that agreement of the lists counts for more than one list's favourite (bench retrieval). */
const RANK_CONSTANT = 5;

/** What one search found, best first. Several lists may be of one source, as those of two wordings of a question are. */
export interface RankedList<Source extends string> {
  source: Source;
  /** How much its ranks count beside those of the other lists; 1 where none is given. */
  weight?: number;
  candidates: readonly RankedCandidate[];
}

export interface RankedCandidate {
  chunkId: string;
  score: number;
  /** How much its rank counts beside those of others of its list; 1 where none is given. */
  weight?: number;
}

export interface FusedCandidate<Source extends string> {
  chunkId: string;
  /** The best that any list gave it. */
  score: number;
  /** Each source once, in the order of the lists. */
  matchedBy: Source[];
}

/**
 * One list of all, by weighted reciprocal rank fusion: only ranks are compared, as the sources' scores cannot be. Of those that
 * come out equal, the one that an earlier list has comes first.
 */
export function reciprocalRankFusion<Source extends string>(
  lists: readonly RankedList<Source>[],
): FusedCandidate<Source>[] {
  const fused = new Map<string, FusedCandidate<Source> & { rankScore: number }>();
  for (const { source, weight = 1, candidates } of lists) {
    for (const [index, { chunkId, score, weight: own = 1 }] of candidates.entries()) {
      const found = fused.get(chunkId) ?? { chunkId, score, matchedBy: [], rankScore: 0 };
      found.score = Math.max(found.score, score);
      if (!found.matchedBy.includes(source)) found.matchedBy.push(source);
      found.rankScore += (weight * own) / (RANK_CONSTANT + index + 1);
      fused.set(chunkId, found);
    }
  }
  return [...fused.values()]
    .sort((a, b) => b.rankScore - a.rankScore)
    .map(({ chunkId, score, matchedBy }) => ({ chunkId, score, matchedBy }));
}
