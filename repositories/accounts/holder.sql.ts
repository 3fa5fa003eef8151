/** How long the last use of a credential may be older than what is noted of it. */
export const NOTED_EVERY = `interval '1 minute'`;
