/**
 * Maximum age, in minutes, at which stored busy times are used while the provider is down. With older ones,
 * taken slots might be offered.
 */
export const STALE_MINUTES = 60;
