/** Number of ranks by which a search hit moves back for each better hit of the same document. */
const RANKS_BACK = 3;

/**
 * Returns how many candidates a search must fetch for `limit` hits, so that hits of other documents can move
 * up.
 */
export const candidateLimit = (limit: number) => 2 * limit;

/**
 * Returns the best search hits, best first. Further hits of a document move back, so that one document does
 * not displace other documents.
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
      return { hit, movedRank: rank + before * RANKS_BACK };
    })
    .sort((a, b) => a.movedRank - b.movedRank)
    .slice(0, limit)
    .map(({ hit }) => hit);
}
