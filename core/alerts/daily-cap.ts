/** Maximum messages a day of an alert policy. A policy may set a lower limit of its own. */
export const DEFAULT_DAILY_CAP = 2000;
