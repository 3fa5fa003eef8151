import { useState } from 'react';
import { addDays, type LocalDate } from '../../../core/local-time.ts';
import { withQuery } from '../../client/paths.ts';
import type { Slot } from '../../client/types.ts';
import { useLoad, type Loaded } from '../../state/use-load.ts';
import { useRefresh } from '../../state/use-refresh.ts';
import { useSession } from '../../session/session.tsx';
import { toTimeRange, getAdjacentRange, moveRange, type DayRange } from '../day-range.ts';

const DAYS_AT_ONCE = 7;

export interface FreeSlots {
  slots: Loaded<Slot[]>;
  range: DayRange;
  /** Shows the previous slots; undefined if the shown range starts today. */
  showEarlier: (() => void) | undefined;
  showLater(): void;
}

/**
 * Loads the free slots of one week at a time, and refreshes them.
 * @param first day at which the first week starts
 */
export function useSlots(zone: string, today: LocalDate, first: LocalDate): FreeSlots {
  const { client } = useSession();
  const [begin, setBegin] = useState(first < today ? today : first);
  const range: DayRange = { from: begin, until: addDays(begin, DAYS_AT_ONCE - 1) };
  const url = withQuery('/api/bookings/slots', { ...toTimeRange(range, zone), timezone: zone });
  const slots = useLoad((signal) => client.get<Slot[]>(url, signal), [client, url]);
  useRefresh(slots.reload);
  const before = getAdjacentRange(range, -1).from;
  return {
    slots,
    range,
    showEarlier:
      begin > today ? () => setBegin(moveRange(range, before < today ? today : before).from) : undefined,
    showLater: () => setBegin(getAdjacentRange(range, 1).from),
  };
}
