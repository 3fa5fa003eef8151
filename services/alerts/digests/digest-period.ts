import { HOUR_MS } from '../../../core/hours.ts';
import type { AlertDigest, SeenCounts } from '../../../entities/alerts/alert-digest.entity.ts';
import type { AlertPolicy } from '../../../entities/alerts/alert-policy.entity.ts';
import type { CountedTotal } from '../../../repositories/alerts/event-count.repository.ts';

const DAY_MS = 24 * HOUR_MS;
const PERIODS_MS = { none: DAY_MS, daily: DAY_MS, weekly: 7 * DAY_MS } as const;
/** Counts are kept for 35 days. */
const LONGEST_MS = 34 * DAY_MS;

type LastDigest = Pick<AlertDigest, 'beginsAt' | 'endsAt' | 'counts' | 'seen'>;

/** What a digest covers: what has happened after `from`, until `to`. */
export interface DigestPeriod {
  from: Date;
  to: Date;
  /** From here on counts are read: to compare with, and for what was handed over late. */
  readFrom: Date;
  last: LastDigest | null;
}

/** By name. */
export interface PeriodCounts {
  counts: Record<string, number>;
  /** Of the period before. */
  before: Record<string, number>;
  seen: SeenCounts;
}

/**
 * The first one of a policy, and one after a very long time, covers a day or week before it was due, by whole hours.
 * @param since when the first one was due
 */
export function periodOf(
  { digest }: Pick<AlertPolicy, 'digest'>,
  last: LastDigest | null,
  { since, to }: { since: Date | null; to: Date },
): DigestPeriod {
  const oldest = to.getTime() - LONGEST_MS;
  if (last?.beginsAt && last.endsAt && last.beginsAt.getTime() >= oldest)
    return { from: last.endsAt, to, readFrom: last.beginsAt, last };
  const due = last === null && since !== null ? since.getTime() : to.getTime();
  const from = new Date(Math.max(due - PERIODS_MS[digest], oldest));
  return { from, to, readFrom: new Date(from.getTime() - PERIODS_MS[digest]), last: null };
}

/** @param totals since `readFrom`, and of that since `from` */
export function countPeriod({ last }: DigestPeriod, totals: readonly CountedTotal[]): PeriodCounts {
  const result: PeriodCounts = { counts: {}, before: last?.counts ?? {}, seen: {} };
  const add = (sums: Record<string, number>, name: string, count: number) =>
    void (sums[name] = (sums[name] ?? 0) + count);
  for (const { botId, name, total, recent } of totals) {
    const key = `${botId ?? ''}:${name}`;
    if (recent > 0) result.seen[key] = recent;
    // Rows of a bot that is gone are gone too.
    add(result.counts, name, last ? Math.max(0, total - (last.seen[key] ?? 0)) : recent);
    if (!last) add(result.before, name, total - recent);
  }
  return result;
}
