/** Maximum number of chunks that each of the two queries of a text search ranks. */
export const MAX_CANDIDATES = 300;
