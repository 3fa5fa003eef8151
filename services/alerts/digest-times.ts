import { addDays, firstInstantAt, localTimeAt, weekdayOf, type LocalDate } from '../../core/local-time.ts';
import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';

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
