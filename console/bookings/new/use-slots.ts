import { useState } from 'react';
import { addDays, type LocalDate } from '../../../core/local-time.ts';
import { withQuery } from '../../client/paths.ts';
import type { Slot } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import type { Loaded } from '../../state/use-loaded.ts';
import { toTimeRange, getAdjacentRange, moveRange, type DayRange } from '../day-range.ts';
import { REFRESH_MS } from '../use-calendar.ts';

const DAYS_AT_ONCE = 7;

export interface FreeSlots {
  slots: Loaded<Slot[]>;
  range: DayRange;
  /** Shows the slots before the shown ones; undefined if the shown range starts today. */
  showEarlier: (() => void) | undefined;
  showLater(): void;
}

/**
 * Loads the free time slots for a booking, one week at a time, and refreshes them.
 * @param first day at which the first week starts
 */
export function useSlots(zone: string, today: LocalDate, first: LocalDate): FreeSlots {
  const [firstDay, setFirstDay] = useState(first < today ? today : first);
  const range: DayRange = { from: firstDay, until: addDays(firstDay, DAYS_AT_ONCE - 1) };
  const url = withQuery('/api/bookings/slots', { ...toTimeRange(range, zone), timezone: zone });
  const slots = useApi<Slot[]>(url, { reloadsOnVisit: true, everyMs: () => REFRESH_MS });
  const before = getAdjacentRange(range, -1).from;
  return {
    slots,
    range,
    showEarlier:
      firstDay > today
        ? () => setFirstDay(moveRange(range, before < today ? today : before).from)
        : undefined,
    showLater: () => setFirstDay(getAdjacentRange(range, 1).from),
  };
}
