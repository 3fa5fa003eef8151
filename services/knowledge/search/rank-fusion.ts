/** Damps the first ranks, so that agreement of the lists counts for more than one list's favourite (bench retrieval). */
const RANK_CONSTANT = 5;

/** What one search found, best first. Several lists may be of one source, as those of two wordings of a question are. */
export interface RankedList<Source extends string> {
  source: Source;
  /** How much its ranks count beside those of the other lists; 1 where none is given. */
  weight?: number;
  candidates: readonly RankedCandidate[];
}

interface RankedCandidate {
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
  /** What its ranks are worth, by source. */
  worth: ReadonlyMap<Source, number>;
}

/**
 * One list of all, by weighted reciprocal rank fusion: only ranks are compared, as the sources' scores cannot be. Of those that
 * come out equal, the one that an earlier list has comes first.
 */
export function reciprocalRankFusion<Source extends string>(
  lists: readonly RankedList<Source>[],
): FusedCandidate<Source>[] {
  const fused = new Map<string, FusedCandidate<Source> & { worth: Map<Source, number> }>();
  for (const { source, weight = 1, candidates } of lists) {
    for (const [index, { chunkId, score, weight: own = 1 }] of candidates.entries()) {
      const found = fused.get(chunkId) ?? { chunkId, score, matchedBy: [], worth: new Map<Source, number>() };
      found.score = Math.max(found.score, score);
      if (!found.matchedBy.includes(source)) found.matchedBy.push(source);
      const worth = (weight * own) / (RANK_CONSTANT + index + 1);
      found.worth.set(source, (found.worth.get(source) ?? 0) + worth);
      fused.set(chunkId, found);
    }
  }
  return byWorth([...fused.values()], worthOf);
}

/** Of what another passage of its document is worth more than it is, so much counts for a passage (bench retrieval). */
const SHARED = 0.1;

/**
 * The same, best first, where sources that each like another passage of a document speak for that document. What one source
 * alone has found stays in its order.
 */
export function agreed<Hit extends Pick<FusedCandidate<string>, 'worth'> & { documentId: string }>(
  hits: readonly Hit[],
): Hit[] {
  const sources = new Set(hits.flatMap(({ worth }) => [...worth.keys()]));
  if (sources.size < 2) return [...hits];
  const best = new Map<string, number>();
  for (const { documentId, worth } of hits)
    for (const [source, value] of worth) {
      const key = `${source} ${documentId}`;
      best.set(key, Math.max(best.get(key) ?? 0, value));
    }
  const shared = ({ documentId, worth }: Hit, source: string) =>
    SHARED * ((best.get(`${source} ${documentId}`) ?? 0) - (worth.get(source) ?? 0));
  return byWorth(hits, (hit) =>
    [...sources].reduce((sum, source) => sum + shared(hit, source), worthOf(hit)),
  );
}

const worthOf = ({ worth }: Pick<FusedCandidate<string>, 'worth'>) =>
  [...worth.values()].reduce((sum, value) => sum + value, 0);

/** Of those that are worth the same, the first comes first. */
function byWorth<Row>(rows: readonly Row[], worth: (row: Row) => number): Row[] {
  return rows
    .map((row) => ({ row, worth: worth(row) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ row }) => row);
}
