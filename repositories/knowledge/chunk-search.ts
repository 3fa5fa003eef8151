/** Maximum number of chunks that each of the two queries of a search ranks. */
export const MAX_CANDIDATES = 300;
