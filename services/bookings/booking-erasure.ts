import type { Clock } from '../../core/clock.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { BookingWriter } from './booking-writer.ts';

export interface BookingErasureDeps {
  bookings: BookingRepository;
  writer: BookingWriter;
  clock: Clock;
}

/** Columns of a booking that keep their values when its attendee's data are erased. */
type KeptColumn =
  | 'id'
  | 'orgId'
  | 'botId'
  | 'bookedBy'
  | 'status'
  | 'source'
  | 'startsAt'
  | 'endsAt'
  | 'blockedUntil'
  | 'isExclusive'
  | 'sequence'
  | 'timezone'
  | 'connectionId'
  | 'calendarId'
  | 'eventId'
  | 'eventVersion'
  | 'calendarStatus'
  | 'calendarError'
  | 'hasConflict'
  | 'cancelledAt'
  | 'cancelledBy'
  | 'invitedSequence'
  | 'invitedAt'
  | 'remindedSequence'
  | 'announcedSequence'
  | 'conflictSequence'
  | 'followDueAt'
  | 'createdAt'
  | 'updatedAt'
  | 'keyId';

/** Column values that replace the attendee's personal data in a booking. */
const ERASED_PERSON: Omit<Opened<Booking>, KeptColumn> = {
  contactId: null,
  conversationId: null,
  summary: '',
  description: null,
  attendeeName: null,
  attendeeEmail: null,
  attendeeTimezone: null,
  language: null,
};

/** Erases a person's data from bookings. */
export class BookingErasure {
  readonly #deps: BookingErasureDeps;

  constructor(deps: BookingErasureDeps) {
    this.#deps = deps;
  }

  /**
   * Cancels upcoming bookings of a person, and erases everything except the time from past bookings. Runs in
   * the caller's transaction.
   * @param conversationIds ids of the contact's conversations, which the caller has locked
   * @returns the ids of all changed bookings
   */
  async erase(scope: OrgScope, contactId: string, conversationIds: readonly string[]): Promise<string[]> {
    const { bookings, writer, clock } = this.#deps;
    const erasedBookings = await bookings.lockByPerson(scope, contactId, conversationIds);
    const now = clock.now();
    for (const booking of erasedBookings)
      if (booking.status === 'confirmed' && booking.startsAt > now)
        await writer.cancel(scope, booking, 'erasure', ERASED_PERSON);
      else await bookings.update(scope, booking.id, { ...ERASED_PERSON, updatedAt: () => 'now()' });
    return erasedBookings.map(({ id }) => id);
  }
}
