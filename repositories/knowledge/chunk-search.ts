/** Maximum number of chunks that each of a search's two queries ranks. */
export const MAX_CANDIDATES = 300;
