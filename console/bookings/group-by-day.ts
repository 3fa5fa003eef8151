import type { LocalDate } from '../../core/local-time.ts';
import { getLocalDay } from './times.ts';

/** Groups items by the local day on which they start, in their original order. */
export function groupByDay<T extends { start: string }>(
  things: readonly T[],
  zone: string,
): [LocalDate, T[]][] {
  const days = new Map<LocalDate, T[]>();
  for (const thing of things) {
    const day = getLocalDay(thing.start, zone);
    const ofDay = days.get(day);
    if (ofDay) ofDay.push(thing);
    else days.set(day, [thing]);
  }
  return [...days];
}
