/** How old a calendar’s busy times may be while its provider is down: longer, slots that are taken would be offered. */
export const STALE_MINUTES = 60;
