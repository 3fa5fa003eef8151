import type { OrgScope } from '../../../database/org-scope.ts';

/** Applies changes to bookings that owners made to the events in their calendar. */
export interface CalendarFollower {
  /** Moves the booking, since the calendar's owner moved its event. */
  applyMove(scope: OrgScope, bookingId: string, to: { start: Date; end: Date }): Promise<unknown>;
  /** Cancels the booking, since the calendar's owner deleted its event. */
  applyRemoval(scope: OrgScope, bookingId: string): Promise<unknown>;
  /** Records that the calendar has another event at the booking's time. */
  noteConflict(scope: OrgScope, bookingId: string): Promise<unknown>;
}
