import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Booking, Canceller } from '../../entities/bookings/booking.entity.ts';
import type { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { signalBooking, startBooking, type BookingSignal } from './booking-commands.ts';
import { settingsOf } from './calendar-settings.ts';

export interface BookingWriterDeps {
  bookings: BookingRepository;
  outbox: OutboxService;
}

/** What a booking says of itself when it is made. */
export type NewBooking = Pick<
  Opened<Booking>,
  'id' | 'source' | 'startsAt' | 'endsAt' | 'blockedUntil' | 'summary'
> &
  Partial<Opened<Booking>>;

type BookingEvent = 'booking.created' | 'booking.cancelled' | 'booking.conflict';

/** Writes bookings, each in its caller's transaction together with what follows from it. */
export class BookingWriter {
  readonly #deps: BookingWriterDeps;

  constructor(deps: BookingWriterDeps) {
    this.#deps = deps;
  }

  /** The row that holds the time, which nobody hears of before `begin`; null where another booking has taken it. */
  hold(scope: OrgScope, connection: CalendarConnection, row: NewBooking): Promise<Opened<Booking> | null> {
    const { timezone, bookingCalendarId } = settingsOf(connection);
    return this.#deps.bookings.insertFree(scope, {
      ...row,
      timezone,
      connectionId: connection.id,
      calendarId: bookingCalendarId,
      calendarStatus: connection.provider === 'local' ? 'none' : 'pending',
    });
  }

  /** Has its workflow started, and its event told, with COMMIT. @param changes what was not known when it was held */
  async begin(
    scope: OrgScope,
    held: Opened<Booking>,
    changes: Partial<Pick<Booking, 'contactId'>> = {},
  ): Promise<Opened<Booking>> {
    const { bookings, outbox } = this.#deps;
    const booking = { ...held, ...changes };
    if (booking.contactId !== held.contactId) await bookings.update(scope, held.id, changes);
    const addressed = { orgId: scope.orgId, traceparent: outbox.traceparent };
    outbox.commandsLast(scope.db, [{ ...addressed, command: startBooking(booking) }]);
    const { botId } = booking;
    const name = 'booking.created';
    await outbox.events(scope.db, [{ ...addressed, botId, name, payload: dataOf(booking) }]);
    return booking;
  }

  /** @param booking confirmed, and locked by the scope's transaction */
  async cancel(
    scope: OrgScope,
    booking: Booking,
    cancelledBy: Canceller,
    changes: Partial<Opened<Booking>> = {},
  ): Promise<Booking> {
    const cancelled = await this.update(
      scope,
      booking,
      {
        calendarStatus: keepsEvent(booking) ? 'pending' : booking.calendarStatus,
        ...changes,
        status: 'cancelled',
        cancelledBy,
        cancelledAt: () => 'now()',
        hasConflict: false,
      },
      'cancel',
    );
    await this.announce(scope, 'booking.cancelled', cancelled);
    return cancelled;
  }

  /** Changes what attendees are told of. @param booking locked by the scope's transaction */
  async update(
    scope: OrgScope,
    booking: Booking,
    changes: Parameters<BookingRepository['update']>[2],
    signal: BookingSignal,
  ): Promise<Booking> {
    const { bookings } = this.#deps;
    const sequence = booking.sequence + 1;
    const times = { updatedAt: () => 'now()', followDueAt: () => 'now()' };
    await bookings.update(scope, booking.id, { ...changes, sequence, ...times });
    await this.tell(scope, booking, signal);
    return bookings.get(scope, booking.id);
  }

  /** Has its workflow look at the row. */
  tell(scope: OrgScope, booking: Booking, signal: BookingSignal): Promise<void> {
    return this.#deps.outbox.command(scope, signalBooking(booking, signal));
  }

  async announce(scope: OrgScope, event: BookingEvent, booking: Booking): Promise<void> {
    await this.#deps.outbox.event(scope, event, dataOf(booking), booking.botId);
  }
}

function dataOf({ id, conversationId, contactId }: Pick<Booking, 'id' | 'conversationId' | 'contactId'>) {
  return { booking_id: id, conversation_id: conversationId, contact_id: contactId };
}

/** Whether the calendar has its event, or may have it. */
function keepsEvent({ calendarStatus }: Booking): boolean {
  return calendarStatus !== 'none' && calendarStatus !== 'removed';
}
