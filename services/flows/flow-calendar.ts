import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors/errors.ts';
import type { BookedTime } from '../../core/flows/node-type.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { CalendarConnectionRepository } from '../../repositories/bookings/calendar-connection.repository.ts';
import type { SlotService } from '../bookings/slot-service.ts';

export interface FlowCalendarDeps {
  bookings: BookingRepository;
  connections: CalendarConnectionRepository;
  slots: Pick<SlotService, 'list'>;
  clock: Clock;
}

const SEARCHED_MS = 31 * 24 * 60 * 60_000;

/** Gives flows access to the calendar of their workspace. */
export class FlowCalendar {
  readonly #deps: FlowCalendarDeps;

  constructor(deps: FlowCalendarDeps) {
    this.#deps = deps;
  }

  async isConnected(scope: OrgScope): Promise<boolean> {
    return (await this.#deps.connections.findCurrent(scope)) !== null;
  }

  /**
   * Returns true if visitors can book a slot within the next month. Returns false if the slots cannot be
   * listed.
   */
  async hasFreeSlots(scope: OrgScope): Promise<boolean> {
    const { slots, clock } = this.#deps;
    const now = clock.now();
    const range = { from: now.toISOString(), to: new Date(now.getTime() + SEARCHED_MS).toISOString() };
    try {
      return (await slots.list(scope, range, 'visitor')).length > 0;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** Returns the time of the conversation's newest booking that is not canceled; null if it has none. */
  async findLastBooking(scope: OrgScope, conversationId: string): Promise<BookedTime | null> {
    const booking = await this.#deps.bookings.findNewestInConversation(scope, conversationId);
    if (booking === null) return null;
    const { startsAt, endsAt, timezone, attendeeTimezone } = booking;
    return {
      start: startsAt.toISOString(),
      end: endsAt.toISOString(),
      timezone: attendeeTimezone ?? timezone,
    };
  }
}
