import type { Database } from '../../database/database.ts';
import type { BookingLifecycle } from '../../services/bookings/booking-lifecycle.ts';
import type { BookingInput } from '../../core/workflows/commands.ts';
import type { CalendarConcurrency } from './calendar-concurrency.ts';

export type BookingActivities = ReturnType<typeof createBookingActivities>;

export function createBookingActivities({
  database: db,
  bookingLifecycle: lifecycle,
  calendarConcurrency,
}: {
  database: Database;
  bookingLifecycle: BookingLifecycle;
  calendarConcurrency: CalendarConcurrency;
}) {
  return {
    followCalendar: (input: BookingInput) =>
      calendarConcurrency.run({ orgId: input.orgId, db }, () => lifecycle.followCalendar(db, input)),
    retryCalendar: (input: BookingInput) => lifecycle.retryCalendar(db, input),
    giveUpCalendar: (input: BookingInput & { reason: string }) => lifecycle.giveUpCalendar(db, input),
    tellOfBooking: (input: BookingInput & { isBlocked?: boolean }) => lifecycle.queueDueMails(db, input),
  };
}
