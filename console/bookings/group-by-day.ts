import type { LocalDate } from '../../core/local-time.ts';
import { getLocalDay } from './times.ts';

/** Groups items, such as bookings, by the local day on which they start, in their original order. */
export function groupByDay<T extends { start: string }>(
  items: readonly T[],
  zone: string,
): [LocalDate, T[]][] {
  const days = new Map<LocalDate, T[]>();
  for (const item of items) {
    const day = getLocalDay(item.start, zone);
    const dayItems = days.get(day);
    if (dayItems) dayItems.push(item);
    else days.set(day, [item]);
  }
  return [...days];
}
