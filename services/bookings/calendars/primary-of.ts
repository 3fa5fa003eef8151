import type { CalendarDescriptor } from '../../../adapters/calendars/calendar-provider.ts';

/** The calendar that counts unless another one is chosen. */
export function primaryOf(calendars: readonly CalendarDescriptor[]): CalendarDescriptor | undefined {
  return (
    calendars.find(({ isPrimary, canWrite }) => isPrimary && canWrite) ??
    calendars.find(({ canWrite }) => canWrite) ??
    calendars[0]
  );
}
