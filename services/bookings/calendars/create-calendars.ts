import { CalendarBusyRepository } from '../../../repositories/bookings/calendar-busy.repository.ts';
import { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import { FollowedBookingRepository } from '../../../repositories/bookings/followed-booking.repository.ts';
import { BookingRepository } from '../../../repositories/bookings/booking.repository.ts';
import type { ServiceDeps } from '../../service-deps.ts';
import { BusyReader } from './busy-reader.ts';
import { BusyTimes } from './busy-times.ts';
import { CalendarAccounts } from './calendar-accounts.ts';
import { CalendarEvents } from './calendar-events.ts';
import type { CalendarFollower } from './calendar-follower.ts';
import { CalendarHealth } from './calendar-health.ts';

/** The calendars of workspaces, as far as they know nothing of bookings. */
export function createCalendars({ settings, clock }: ServiceDeps) {
  const connections = new CalendarConnectionRepository();
  const busy = new CalendarBusyRepository();
  const accounts = new CalendarAccounts();
  const reader = new BusyReader({ busy, accounts, clock });
  return {
    calendarAccounts: accounts,
    calendarHealth: new CalendarHealth({ connections }),
    busyReader: reader,
    busyTimes: new BusyTimes({ busy, connections, reader, clock, settings }),
  };
}

/** What writes the events of bookings, and follows what becomes of them. */
export function createCalendarEvents(
  { calendarAccounts: accounts, calendarHealth: health }: ReturnType<typeof createCalendars>,
  follower: CalendarFollower,
) {
  const connections = new CalendarConnectionRepository();
  const bookings = new BookingRepository();
  return {
    calendarEvents: new CalendarEvents({
      bookings,
      followed: new FollowedBookingRepository(),
      connections,
      accounts,
      health,
      follower,
    }),
  };
}
