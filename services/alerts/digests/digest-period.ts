import { HOUR_MS } from '../../../core/hours.ts';
import type { AlertDigest, SeenCounts } from '../../../entities/alerts/alert-digest.entity.ts';
import type { AlertPolicy } from '../../../entities/alerts/alert-policy.entity.ts';
import type { CountedTotal } from '../../../repositories/alerts/event-count.repository.ts';

const DAY_MS = 24 * HOUR_MS;
const PERIODS_MS = { none: DAY_MS, daily: DAY_MS, weekly: 7 * DAY_MS } as const;
/** Counts are stored for 35 days. */
const MAX_PERIOD_MS = 34 * DAY_MS;

type LastDigest = Pick<AlertDigest, 'beginsAt' | 'endsAt' | 'counts' | 'seen'>;

/** Period of a digest: events after `from`, up to `to`. */
export interface DigestPeriod {
  from: Date;
  to: Date;
  /** Start of the counts that are read: for the comparison, and for events that were recorded late. */
  readFrom: Date;
  last: LastDigest | null;
}

/** Counts by event name. */
export interface PeriodCounts {
  counts: Record<string, number>;
  /** Counts of the previous period. */
  before: Record<string, number>;
  seen: SeenCounts;
}

/**
 * Plans the period of a digest. The first digest of a policy, and one after a very long gap, covers the day or week
 * before its due time.
 * @param since when the first digest was due
 */
export function planDigestPeriod(
  { digest }: Pick<AlertPolicy, 'digest'>,
  last: LastDigest | null,
  { since, to }: { since: Date | null; to: Date },
): DigestPeriod {
  const oldest = to.getTime() - MAX_PERIOD_MS;
  if (last?.beginsAt && last.endsAt && last.beginsAt.getTime() >= oldest)
    return { from: last.endsAt, to, readFrom: last.beginsAt, last };
  const due = last === null && since !== null ? since.getTime() : to.getTime();
  const from = new Date(Math.max(due - PERIODS_MS[digest], oldest));
  return { from, to, readFrom: new Date(from.getTime() - PERIODS_MS[digest]), last: null };
}

/** @param totals counts since `readFrom`, with those since `from` */
export function countPeriod({ last }: DigestPeriod, totals: readonly CountedTotal[]): PeriodCounts {
  const result: PeriodCounts = { counts: {}, before: last?.counts ?? {}, seen: {} };
  const add = (sums: Record<string, number>, name: string, count: number) =>
    void (sums[name] = (sums[name] ?? 0) + count);
  for (const { botId, name, total, recent } of totals) {
    const key = `${botId ?? ''}:${name}`;
    if (recent > 0) result.seen[key] = recent;
    // Subtract for each bot: the counts of a deleted bot are deleted as well.
    add(result.counts, name, last ? Math.max(0, total - (last.seen[key] ?? 0)) : recent);
    if (!last) add(result.before, name, total - recent);
  }
  return result;
}
