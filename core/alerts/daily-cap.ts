/** Maximum number of alert messages per day for an alert policy that has no limit of its own. */
export const DEFAULT_DAILY_CAP = 2000;
