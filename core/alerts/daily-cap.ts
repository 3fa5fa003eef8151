/** Messages a day for an alert policy without a cap of its own, and the highest cap. */
export const DEFAULT_DAILY_CAP = 2000;
