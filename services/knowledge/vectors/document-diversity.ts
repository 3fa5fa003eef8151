/** Ranks by which each further passage of a document moves back. */
const RANKS_BACK = 3;

/** Number of candidates to fetch, so that other documents can move up. */
export const candidateLimit = (limit: number) => 2 * limit;

/**
 * Returns the best hits, best first. Further passages of a document move back, so that they do not crowd out other
 * documents.
 */
export function diversifyByDocument<Hit extends { documentId: string }>(
  hits: readonly Hit[],
  limit: number,
): Hit[] {
  const seen = new Map<string, number>();
  return hits
    .map((hit, rank) => {
      const before = seen.get(hit.documentId) ?? 0;
      seen.set(hit.documentId, before + 1);
      return { hit, place: rank + before * RANKS_BACK };
    })
    .sort((a, b) => a.place - b.place)
    .slice(0, limit)
    .map(({ hit }) => hit);
}
