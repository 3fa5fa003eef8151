/** Places by which a further passage of a document stands behind those of others that are as good. */
const STEP_BACK = 3;

/** So many are looked at, so that there are others to put in front. */
export const lookedAt = (limit: number) => 2 * limit;

/** The best of what was found, best first, where several passages of one document do not crowd out others. */
export function spread<Hit extends { documentId: string }>(hits: readonly Hit[], limit: number): Hit[] {
  const seen = new Map<string, number>();
  return hits
    .map((hit, rank) => {
      const before = seen.get(hit.documentId) ?? 0;
      seen.set(hit.documentId, before + 1);
      return { hit, place: rank + before * STEP_BACK };
    })
    .sort((a, b) => a.place - b.place)
    .slice(0, limit)
    .map(({ hit }) => hit);
}
