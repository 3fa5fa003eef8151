import { HOUR_MS } from '../../../core/hours.ts';
import { addDays, firstInstantAt, localTimeAt, weekdayOf, type LocalDate } from '../../../core/local-time.ts';
import type { AlertPolicy } from '../../../entities/alerts/alert-policy.entity.ts';

export type DigestPlan = Pick<AlertPolicy, 'digest' | 'digestHour' | 'digestWeekday' | 'timezone'>;

export interface DueDigest {
  /** Of its zone; a policy has one digest a day at most. */
  date: LocalDate;
  at: Date;
}

const DAYS_OF_WEEK = 7;

/**
 * The first digest after an instant, or null for a policy without.
 * @param lastDate of the policy's last digest: there is no second one on its day, should the hour be moved
 */
export function nextDigest(
  plan: DigestPlan,
  after: Date,
  lastDate: LocalDate | null = null,
): DueDigest | null {
  if (plan.digest === 'none') return null;
  const { date: today } = localTimeAt(after, plan.timezone);
  // One more week, as the first day of the plan may be over already; and one, as a week's digest may have been early.
  for (let days = 0; days <= 3 * DAYS_OF_WEEK; days += 1) {
    const date = addDays(today, days);
    if (plan.digest === 'weekly' && weekdayOf(date) !== plan.digestWeekday) continue;
    if (lastDate !== null && date <= lastDate) continue;
    const at = firstInstantAt(date, plan.digestHour * 60, plan.timezone);
    if (at > after) return { date, at };
  }
  throw new Error(`No digest comes after ${after.toISOString()}.`);
}

/** A digest that is longer ago is not told of any more. */
const LONGEST_AGO_MS = 15 * 24 * HOUR_MS;

/**
 * The last digest that should have been sent by now, or null where none should.
 * @param nextAt when the next one was due, as it is kept
 */
export function latestDigest(plan: DigestPlan, nextAt: Date | null, now: Date): DueDigest | null {
  if (nextAt === null || nextAt > now) return null;
  const from = new Date(Math.max(nextAt.getTime(), now.getTime() - LONGEST_AGO_MS));
  let due: DueDigest = { date: localTimeAt(from, plan.timezone).date, at: from };
  for (;;) {
    const next = nextDigest(plan, due.at, due.date);
    if (next === null || next.at > now) return due;
    due = next;
  }
}
