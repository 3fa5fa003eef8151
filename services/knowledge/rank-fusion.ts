/** Damps the first ranks, so that agreement of the lists counts for more than one list's favourite. */
const RANK_CONSTANT = 60;

/** What one source found, best first. */
export interface RankedList<Source extends string> {
  source: Source;
  candidates: readonly { chunkId: string; score: number }[];
}

export interface FusedCandidate<Source extends string> {
  chunkId: string;
  /** The best that any source gave it. */
  score: number;
  matchedBy: Source[];
}

/** One list of all, by reciprocal rank fusion: only ranks are compared, as the sources' scores cannot be. */
export function reciprocalRankFusion<Source extends string>(
  lists: readonly RankedList<Source>[],
): FusedCandidate<Source>[] {
  const fused = new Map<string, FusedCandidate<Source> & { rankScore: number }>();
  for (const { source, candidates } of lists) {
    for (const [index, { chunkId, score }] of candidates.entries()) {
      const found = fused.get(chunkId) ?? { chunkId, score, matchedBy: [], rankScore: 0 };
      found.score = Math.max(found.score, score);
      found.matchedBy.push(source);
      found.rankScore += 1 / (RANK_CONSTANT + index + 1);
      fused.set(chunkId, found);
    }
  }
  return [...fused.values()]
    .sort((a, b) => b.rankScore - a.rankScore)
    .map(({ chunkId, score, matchedBy }) => ({ chunkId, score, matchedBy }));
}
