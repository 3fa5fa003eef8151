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
  /** Date of the digest in the alert policy's time zone. A policy has at most one digest a day. */
  date: LocalDate;
  at: Date;
}

const DAYS_PER_WEEK = 7;

/**
 * Finds the first time after an instant at which an alert policy's digest is due; null if the policy has no
 * digests.
 * @param lastDate date of the policy's last digest, so that a changed hour does not cause a second digest on
 * that day
 */
export function findNextDigest(
  plan: DigestPlan,
  after: Date,
  lastDate: LocalDate | null = null,
): DueDigest | null {
  if (plan.digest === 'none') return null;
  const { date: today } = localTimeAt(after, plan.timezone);
  // Searches three weeks of days for the due time. Today's hour may have passed, and `lastDate` may exclude a
  // further week.
  for (let days = 0; days <= 3 * DAYS_PER_WEEK; days += 1) {
    const date = addDays(today, days);
    if (plan.digest === 'weekly' && getWeekday(date) !== plan.digestWeekday) continue;
    if (lastDate !== null && date <= lastDate) continue;
    const at = firstInstantAt(date, plan.digestHour * 60, plan.timezone);
    if (at > after) return { date, at };
  }
  throw new Error(`There is no digest after ${after.toISOString()}.`);
}

/** Time in milliseconds after which an overdue digest is skipped. */
const MAX_OVERDUE_MS = 15 * 24 * HOUR_MS;

/**
 * Finds the latest digest of an alert policy that is due by now; null if none is due.
 * @param nextAt stored due time of the policy's next digest
 */
export function findLatestDigest(plan: DigestPlan, nextAt: Date | null, now: Date): DueDigest | null {
  if (nextAt === null || nextAt > now) return null;
  const from = new Date(Math.max(nextAt.getTime(), now.getTime() - MAX_OVERDUE_MS));
  let dueDigest: DueDigest = { date: localTimeAt(from, plan.timezone).date, at: from };
  for (;;) {
    const next = findNextDigest(plan, dueDigest.at, dueDigest.date);
    if (next === null || next.at > now) return dueDigest;
    dueDigest = next;
  }
}
