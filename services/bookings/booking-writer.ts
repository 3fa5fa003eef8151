import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Booking, Canceller } from '../../entities/bookings/booking.entity.ts';
import type { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { createBookingSignal, createBookingStart, type BookingSignal } from './booking-commands.ts';
import { resolveCalendarSettings } from './calendar-settings.ts';

export interface BookingWriterDeps {
  bookings: BookingRepository;
  outbox: OutboxService;
}

/** Column values of a new booking. */
export type NewBooking = Pick<
  Opened<Booking>,
  'id' | 'source' | 'startsAt' | 'endsAt' | 'blockedUntil' | 'summary'
> &
  Partial<Opened<Booking>>;

type BookingEvent = 'booking.created' | 'booking.cancelled' | 'booking.conflict';

/** Writes bookings together with their events and workflow commands, in the caller's transaction. */
export class BookingWriter {
  readonly #deps: BookingWriterDeps;

  constructor(deps: BookingWriterDeps) {
    this.#deps = deps;
  }

  /**
   * Inserts the booking, which reserves its time. The caller then queues the webhook event and starts the
   * workflow with `begin`. Returns null if another booking has the time.
   */
  hold(scope: OrgScope, connection: CalendarConnection, row: NewBooking): Promise<Opened<Booking> | null> {
    const { timezone, bookingCalendarId } = resolveCalendarSettings(connection);
    return this.#deps.bookings.insertIfFree(scope, {
      ...row,
      timezone,
      connectionId: connection.id,
      calendarId: bookingCalendarId,
      calendarStatus: connection.provider === 'local' ? 'none' : 'pending',
    });
  }

  /**
   * Starts the workflow of an inserted booking and queues its webhook event. Both are sent after the commit.
   * @param changes column values that were unknown when the booking was inserted
   */
  async begin(
    scope: OrgScope,
    heldBooking: Opened<Booking>,
    changes: Partial<Pick<Booking, 'contactId'>> = {},
  ): Promise<Opened<Booking>> {
    const { bookings, outbox } = this.#deps;
    const booking = { ...heldBooking, ...changes };
    if (booking.contactId !== heldBooking.contactId) await bookings.update(scope, heldBooking.id, changes);
    const addressed = { orgId: scope.orgId, traceparent: outbox.traceparent };
    outbox.commandsLast(scope.db, [{ ...addressed, command: createBookingStart(booking) }]);
    const { botId } = booking;
    const name = 'booking.created';
    await outbox.events(scope.db, [{ ...addressed, botId, name, payload: toEventData(booking) }]);
    return booking;
  }

  /** Cancels a booking. @param booking confirmed booking that the caller's transaction has locked */
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
        calendarStatus: mayHaveEvent(booking) ? 'pending' : booking.calendarStatus,
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

  /**
   * Changes fields of a booking about which its attendee must be informed.
   * @param booking booking that the caller's transaction has locked
   */
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
    await this.signal(scope, booking, signal);
    return bookings.get(scope, booking.id);
  }

  /** Signals the booking's workflow to read the booking again. */
  signal(scope: OrgScope, booking: Booking, signal: BookingSignal): Promise<void> {
    return this.#deps.outbox.command(scope, createBookingSignal(booking, signal));
  }

  async announce(scope: OrgScope, event: BookingEvent, booking: Booking): Promise<void> {
    await this.#deps.outbox.event(scope, event, toEventData(booking), booking.botId);
  }
}

function toEventData({
  id,
  conversationId,
  contactId,
}: Pick<Booking, 'id' | 'conversationId' | 'contactId'>) {
  return { booking_id: id, conversation_id: conversationId, contact_id: contactId };
}

/**
 * Returns true if the calendar may contain the booking's event. False if the event was certainly never
 * written.
 */
function mayHaveEvent({ calendarStatus }: Booking): boolean {
  return calendarStatus !== 'none' && calendarStatus !== 'removed';
}
