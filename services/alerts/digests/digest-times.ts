import { HOUR_MS } from '../../../core/hours.ts';
import {
  addDays,
  firstInstantAt,
  localTimeAt,
  getWeekday,
  type LocalDate,
} from '../../../core/local-time.ts';
import type { AlertPolicy } from '../../../entities/alerts/alert-policy.entity.ts';

export type DigestPlan = Pick<AlertPolicy, 'digest' | 'digestHour' | 'digestWeekday' | 'timezone'>;

export interface DueDigest {
  /** Date in the policy's time zone; a policy has at most one digest a day. */
  date: LocalDate;
  at: Date;
}

const DAYS_OF_WEEK = 7;

/**
 * Finds the first digest after an instant; null if the policy has none.
 * @param lastDate date of the policy's last digest: a changed hour causes no second digest on that day
 */
export function findNextDigest(
  plan: DigestPlan,
  after: Date,
  lastDate: LocalDate | null = null,
): DueDigest | null {
  if (plan.digest === 'none') return null;
  const { date: today } = localTimeAt(after, plan.timezone);
  // Three weeks: today's hour may be past, and `lastDate` may exclude another week.
  for (let days = 0; days <= 3 * DAYS_OF_WEEK; days += 1) {
    const date = addDays(today, days);
    if (plan.digest === 'weekly' && getWeekday(date) !== plan.digestWeekday) continue;
    if (lastDate !== null && date <= lastDate) continue;
    const at = firstInstantAt(date, plan.digestHour * 60, plan.timezone);
    if (at > after) return { date, at };
  }
  throw new Error(`No digest comes after ${after.toISOString()}.`);
}

/** A digest overdue for longer is skipped. */
const MAX_OVERDUE_MS = 15 * 24 * HOUR_MS;

/**
 * Finds the last digest due by now; null if none is due.
 * @param nextAt stored due time of the next digest
 */
export function findLatestDigest(plan: DigestPlan, nextAt: Date | null, now: Date): DueDigest | null {
  if (nextAt === null || nextAt > now) return null;
  const from = new Date(Math.max(nextAt.getTime(), now.getTime() - MAX_OVERDUE_MS));
  let due: DueDigest = { date: localTimeAt(from, plan.timezone).date, at: from };
  for (;;) {
    const next = findNextDigest(plan, due.at, due.date);
    if (next === null || next.at > now) return due;
    due = next;
  }
}
