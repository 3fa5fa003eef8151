/** Chunks that one search ranks, for each of its two queries. */
export const MAX_CANDIDATES = 300;
