import type { Database } from '../../database/database.ts';
import type { BookingFollowing } from '../../services/bookings/booking-following.service.ts';
import type { BookingInput } from '../../workflows/shared/commands.ts';

export type BookingActivities = ReturnType<typeof createBookingActivities>;

export function createBookingActivities({
  database: db,
  bookingFollowing: following,
}: {
  database: Database;
  bookingFollowing: BookingFollowing;
}) {
  return {
    followCalendar: (input: BookingInput) => following.followCalendar(db, input),
    retryCalendar: (input: BookingInput) => following.retryCalendar(db, input),
    giveUpCalendar: (input: BookingInput & { reason: string }) => following.giveUpCalendar(db, input),
    tellOfBooking: (input: BookingInput) => following.bringUpToDate(db, input),
  };
}
