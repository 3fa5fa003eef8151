/** Maximum age of stored busy times while the provider is down. Older ones would offer slots that are taken. */
export const STALE_MINUTES = 60;
