/**
 * Maximum age, in minutes, at which stored busy times are used while the provider is down. With older busy
 * times, Parley might offer taken slots.
 */
export const STALE_MINUTES = 60;
