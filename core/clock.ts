/**
 * Source of the current time, which tests replace. Time windows of rate limits, and leases, use the clock of
 * the database instead.
 */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Returns the current time in seconds since the epoch, the format of tokens and signatures. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000);
}
