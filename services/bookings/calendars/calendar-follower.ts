import type { OrgScope } from '../../../database/org-scope.ts';

/** What bookings do about what has happened in the calendar: BookingsService is one. */
export interface CalendarFollower {
  /** The owner has moved the event. */
  followMove(scope: OrgScope, bookingId: string, to: { start: Date; end: Date }): Promise<unknown>;
  /** The owner has deleted the event. */
  followRemoval(scope: OrgScope, bookingId: string): Promise<unknown>;
  /** Something else is at its time. */
  noteConflict(scope: OrgScope, bookingId: string): Promise<unknown>;
}
