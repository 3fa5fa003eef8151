import type { Clock } from '../../core/clock.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { BookingWriter } from './booking-writer.ts';

export interface BookingErasureDeps {
  bookings: BookingRepository;
  writer: BookingWriter;
  clock: Clock;
}

/** What a booking is left with, of its attendee. */
const nobody = {
  contactId: null,
  conversationId: null,
  summary: '',
  description: null,
  attendeeName: null,
  attendeeEmail: null,
  attendeeTimezone: null,
  language: null,
};

/** Takes a person out of bookings. */
export class BookingErasure {
  readonly #deps: BookingErasureDeps;

  constructor(deps: BookingErasureDeps) {
    this.#deps = deps;
  }

  /**
   * In the scope's transaction: cancels what is to come, and leaves of the rest when it was.
   * @param conversationIds the contact's, locked
   * @returns the ids of all of them
   */
  async erase(scope: OrgScope, contactId: string, conversationIds: readonly string[]): Promise<string[]> {
    const { bookings, writer, clock } = this.#deps;
    const found = await bookings.lockOfPerson(scope, contactId, conversationIds);
    const now = clock.now();
    for (const booking of found)
      if (booking.status === 'confirmed' && booking.startsAt > now)
        await writer.cancel(scope, booking, 'erasure', nobody);
      else await bookings.update(scope, booking.id, { ...nobody, updatedAt: () => 'now()' });
    return found.map(({ id }) => id);
  }
}
