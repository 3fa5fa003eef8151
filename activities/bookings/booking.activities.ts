import type { Database } from '../../database/database.ts';
import type { BookingFollowing } from '../../services/bookings/booking-following.ts';
import type { BookingInput } from '../../core/workflows/commands.ts';
import type { CalendarConcurrency } from './calendar-concurrency.ts';

export type BookingActivities = ReturnType<typeof createBookingActivities>;

export function createBookingActivities({
  database: db,
  bookingFollowing: following,
  turns,
}: {
  database: Database;
  bookingFollowing: BookingFollowing;
  turns: CalendarConcurrency;
}) {
  return {
    followCalendar: (input: BookingInput) =>
      turns.run(input.orgId, () => following.followCalendar(db, input)),
    retryCalendar: (input: BookingInput) => following.retryCalendar(db, input),
    giveUpCalendar: (input: BookingInput & { reason: string }) => following.giveUpCalendar(db, input),
    tellOfBooking: (input: BookingInput & { isBlocked?: boolean }) => following.bringUpToDate(db, input),
  };
}
