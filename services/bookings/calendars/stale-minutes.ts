/**
 * Maximum age, in minutes, of stored busy times that are used while the calendar provider is down. With older
 * busy times, Parley might offer taken slots.
 */
export const STALE_MINUTES = 60;
