/**
 * Damps the first ranks: agreement between lists counts for more than the first rank in one list (bench retrieval).
 */
const RANK_CONSTANT = 5;

/**
 * Candidates of one search, best first. Two lists may have the same source, for example two wordings of a question.
 */
export interface RankedList<Source extends string> {
  source: Source;
  /** Factor for the ranks of this list; 1 if undefined. */
  weight?: number;
  candidates: readonly RankedCandidate[];
}

interface RankedCandidate {
  chunkId: string;
  score: number;
  /** Factor for this candidate's rank; 1 if undefined. */
  weight?: number;
}

export interface FusedCandidate<Source extends string> {
  chunkId: string;
  /** Best score in any list. */
  score: number;
  /** Each source once, in the order of the lists. */
  matchedBy: Source[];
  /** Sum of reciprocal ranks, by source. */
  worth: ReadonlyMap<Source, number>;
}

/**
 * Merges lists by weighted reciprocal rank fusion. It compares ranks only, since scores of different sources are not
 * comparable.
 * Ties keep the order of the lists.
 */
export function fuseByReciprocalRank<Source extends string>(
  lists: readonly RankedList<Source>[],
): FusedCandidate<Source>[] {
  const fused = new Map<string, FusedCandidate<Source> & { worth: Map<Source, number> }>();
  for (const { source, weight = 1, candidates } of lists) {
    for (const [index, { chunkId, score, weight: ownWeight = 1 }] of candidates.entries()) {
      const found = fused.get(chunkId) ?? { chunkId, score, matchedBy: [], worth: new Map<Source, number>() };
      found.score = Math.max(found.score, score);
      if (!found.matchedBy.includes(source)) found.matchedBy.push(source);
      const worth = (weight * ownWeight) / (RANK_CONSTANT + index + 1);
      found.worth.set(source, (found.worth.get(source) ?? 0) + worth);
      fused.set(chunkId, found);
    }
  }
  return sortByWorth([...fused.values()], sumWorth);
}

/** Share of the difference to the document's best passage that is added to a passage's worth (bench retrieval). */
const DOCUMENT_SHARE = 0.1;

/**
 * Sorts hits so that sources that prefer different passages of the same document support each other. With a single
 * source,
 * the order stays the same.
 */
export function boostAgreedDocuments<
  Hit extends Pick<FusedCandidate<string>, 'worth'> & { documentId: string },
>(hits: readonly Hit[]): Hit[] {
  const sources = new Set(hits.flatMap(({ worth }) => [...worth.keys()]));
  if (sources.size < 2) return [...hits];
  const best = new Map<string, number>();
  for (const { documentId, worth } of hits)
    for (const [source, value] of worth) {
      const key = `${source} ${documentId}`;
      best.set(key, Math.max(best.get(key) ?? 0, value));
    }
  const computeShare = ({ documentId, worth }: Hit, source: string) =>
    DOCUMENT_SHARE * ((best.get(`${source} ${documentId}`) ?? 0) - (worth.get(source) ?? 0));
  return sortByWorth(hits, (hit) =>
    [...sources].reduce((sum, source) => sum + computeShare(hit, source), sumWorth(hit)),
  );
}

const sumWorth = ({ worth }: Pick<FusedCandidate<string>, 'worth'>) =>
  [...worth.values()].reduce((sum, value) => sum + value, 0);

/** Sorts rows by descending worth; ties keep their order. */
function sortByWorth<Row>(rows: readonly Row[], worth: (row: Row) => number): Row[] {
  return rows
    .map((row) => ({ row, worth: worth(row) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ row }) => row);
}
