/**
 * Constant k in the formula 1 / (k + rank) of reciprocal rank fusion, chosen by `bench retrieval`. A greater
 * k favors passages that several lists contain over the first passage of a single list.
 */
const RANK_CONSTANT = 5;

/**
 * Candidate chunks that one search has found, best first. Two lists may have the same source, for example for
 * two wordings of a question.
 */
export interface RankedList<Source extends string> {
  source: Source;
  /** Factor for the reciprocal ranks of all candidates in this list; 1 by default. */
  weight?: number;
  candidates: readonly RankedCandidate[];
}

interface RankedCandidate {
  chunkId: string;
  score: number;
  /** Factor for the reciprocal rank of this candidate; 1 by default. */
  weight?: number;
}

export interface FusedCandidate<Source extends string> {
  chunkId: string;
  /** Best score of the chunk in any of the fused lists. */
  score: number;
  /** Sources of the fused lists that contain the chunk, without duplicates, in the order of the lists. */
  matchedBy: Source[];
  /** Sum of the chunk's weighted reciprocal ranks, for each source. */
  worth: ReadonlyMap<Source, number>;
}

/**
 * Merges lists of search results by weighted reciprocal rank fusion. The fusion compares only ranks, since
 * scores of different sources are not comparable. Ties keep the order of the lists.
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

/**
 * Fraction of the difference to the document's best passage that is added to the rank value of a passage.
 * Chosen by `bench retrieval`.
 */
const DOCUMENT_SHARE = 0.1;

/**
 * Moves up search results from documents that several sources found, even if the sources prefer different
 * passages of them. With a single source, the order stays the same.
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

/** Sorts rows by descending rank value. Rows with the same value keep their order. */
function sortByWorth<Row>(rows: readonly Row[], worth: (row: Row) => number): Row[] {
  return rows
    .map((row) => ({ row, worth: worth(row) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ row }) => row);
}
