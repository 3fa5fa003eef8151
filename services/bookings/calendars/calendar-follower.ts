import type { OrgScope } from '../../../database/org-scope.ts';

/** Applies calendar changes to bookings; implemented by BookingService. */
export interface CalendarFollower {
  /** Handles an event that the owner moved. */
  followMove(scope: OrgScope, bookingId: string, to: { start: Date; end: Date }): Promise<unknown>;
  /** Handles an event that the owner deleted. */
  followRemoval(scope: OrgScope, bookingId: string): Promise<unknown>;
  /** Handles another event at the booking's time. */
  noteConflict(scope: OrgScope, bookingId: string): Promise<unknown>;
}
