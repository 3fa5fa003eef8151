import { HOUR_MS } from '../../../core/hours.ts';
import type { AlertDigest, SeenCounts } from '../../../entities/alerts/alert-digest.entity.ts';
import type { AlertPolicy } from '../../../entities/alerts/alert-policy.entity.ts';
import type { CountedTotal } from '../../../repositories/alerts/event-count.repository.ts';

const DAY_MS = 24 * HOUR_MS;
const PERIODS_MS = { none: DAY_MS, daily: DAY_MS, weekly: 7 * DAY_MS } as const;
/**
 * Maximum length in milliseconds of a digest's period. It is shorter than the 35 days for which event counts
 * are stored.
 */
const MAX_PERIOD_MS = 34 * DAY_MS;

type LastDigest = Pick<AlertDigest, 'beginsAt' | 'endsAt' | 'counts' | 'seen'>;

/** Period of a digest: events later than `from`, until `to`. */
export interface DigestPeriod {
  from: Date;
  to: Date;
  /**
   * Time since which event counts are read. This time is before `from`, to compare with the previous period
   * and to include events that were recorded late.
   */
  readFrom: Date;
  last: LastDigest | null;
}

/** Numbers of events by event name, for the period of a digest. */
export interface PeriodCounts {
  counts: Record<string, number>;
  /** Numbers of events in the previous period, for comparison. */
  before: Record<string, number>;
  seen: SeenCounts;
}

/**
 * Returns the period whose events a digest counts. It begins at the end of the previous digest. The first
 * digest, and a digest after a very long gap, cover the day or week before their due time.
 * @param since due time of the policy's first digest
 * @param to end of the period
 */
export function planDigestPeriod(
  { digest }: Pick<AlertPolicy, 'digest'>,
  last: LastDigest | null,
  { since, to }: { since: Date | null; to: Date },
): DigestPeriod {
  const oldest = to.getTime() - MAX_PERIOD_MS;
  if (last?.beginsAt && last.endsAt && last.beginsAt.getTime() >= oldest)
    return { from: last.endsAt, to, readFrom: last.beginsAt, last };
  const dueMs = last === null && since !== null ? since.getTime() : to.getTime();
  const from = new Date(Math.max(dueMs - PERIODS_MS[digest], oldest));
  return { from, to, readFrom: new Date(from.getTime() - PERIODS_MS[digest]), last: null };
}

/**
 * Counts the events in the period of a digest.
 * @param totals counts since `readFrom`, each with the part since `from`
 */
export function countPeriod({ last }: DigestPeriod, totals: readonly CountedTotal[]): PeriodCounts {
  const result: PeriodCounts = { counts: {}, before: last?.counts ?? {}, seen: {} };
  const addToSum = (sums: Record<string, number>, name: string, count: number) =>
    void (sums[name] = (sums[name] ?? 0) + count);
  for (const { botId, name, total, recent } of totals) {
    const key = `${botId ?? ''}:${name}`;
    if (recent > 0) result.seen[key] = recent;
    // Subtracts the previous digest's counts for each bot separately, because the counts of deleted bots are
    // deleted.
    addToSum(result.counts, name, last ? Math.max(0, total - (last.seen[key] ?? 0)) : recent);
    if (!last) addToSum(result.before, name, total - recent);
  }
  return result;
}
