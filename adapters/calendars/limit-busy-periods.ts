import { CalendarRefused, type CalendarBusy } from './calendar-provider.ts';

/**
 * Maximum number of merged busy periods in all calendars of an account. An account with more than a hundred
 * separate periods a day has hardly any free time to offer.
 */
export const MAX_BUSY_PERIODS = 10_000;

/**
 * Replaces the busy times of calendars beyond the limit of an account with an error. Each request for free
 * slots processes all busy times of the account.
 */
export function limitBusyPeriods(calendars: readonly CalendarBusy[]): CalendarBusy[] {
  let left = MAX_BUSY_PERIODS;
  return calendars.map((calendar) => {
    if (!('busy' in calendar)) return calendar;
    const periods = calendar.busy.length / 2;
    if (periods > left) return { calendarId: calendar.calendarId, error: createTooManyEvents() };
    left -= periods;
    return calendar;
  });
}

/** Creates the error for calendars with so many events that reading them would take too long. */
export function createTooManyEvents(): CalendarRefused {
  return new CalendarRefused('The calendars of the account have too many events to read.');
}
