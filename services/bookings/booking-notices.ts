import type { OrgScope } from '../../database/org-scope.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';

/** Mail to the team about a booking. */
export class BookingNotices {
  async bringUpToDate(_tx: OrgScope, _booking: Booking): Promise<void> {}
}
