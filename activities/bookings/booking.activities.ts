import type { Database } from '../../database/database.ts';
import type { BookingLifecycle } from '../../services/bookings/booking-lifecycle.ts';
import type { BookingInput } from '../../core/workflows/commands.ts';
import type { CalendarConcurrency } from './calendar-concurrency.ts';

export type BookingActivities = ReturnType<typeof createBookingActivities>;

export function createBookingActivities({
  database: db,
  bookingLifecycle: following,
  turns,
}: {
  database: Database;
  bookingLifecycle: BookingLifecycle;
  turns: CalendarConcurrency;
}) {
  return {
    followCalendar: (input: BookingInput) =>
      turns.run({ orgId: input.orgId, db }, () => following.followCalendar(db, input)),
    retryCalendar: (input: BookingInput) => following.retryCalendar(db, input),
    giveUpCalendar: (input: BookingInput & { reason: string }) => following.giveUpCalendar(db, input),
    tellOfBooking: (input: BookingInput & { isBlocked?: boolean }) => following.queueDueMails(db, input),
  };
}
