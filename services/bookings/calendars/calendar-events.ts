import {
  CalendarReconnect,
  CalendarRefused,
  CalendarUnavailable,
  type CalendarAccount,
  type CalendarEvent,
  type EventRef,
} from '../../../adapters/calendars/calendar-provider.ts';
import { isBusyWithin } from '../../../core/bookings/busy-minutes.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { Booking } from '../../../entities/bookings/booking.entity.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type { BookingRepository } from '../../../repositories/bookings/booking.repository.ts';
import type { FollowedBookingRepository } from '../../../repositories/bookings/followed-booking.repository.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import type { CalendarFollower } from './calendar-follower.ts';
import type { CalendarHealth } from './calendar-health.ts';
import { bookingCalendarId, readCalendarIds } from './read-calendar-ids.ts';

export interface CalendarEventsDeps {
  bookings: BookingRepository;
  /** What has become of an event is recorded only where the booking is still what it was. */
  followed: FollowedBookingRepository;
  connections: CalendarConnectionRepository;
  accounts: CalendarAccounts;
  health: CalendarHealth;
  follower: CalendarFollower;
}

/** `none`: there is no calendar to write to; `deleted`: its owner has removed the event meanwhile. */
export type EventOutcome = 'none' | 'written' | 'removed' | 'deleted';

/** Less than the activity has, so that it is known what has failed. */
const LONGEST_MS = 18_000;

interface Place {
  booking: Booking;
  connection: CalendarConnection;
  calendarId: string;
  /** Bounds all that is asked. */
  signal: AbortSignal;
}

/** The event of each booking at the provider. Every step may be repeated. */
export class CalendarEvents {
  readonly #deps: CalendarEventsDeps;

  constructor(deps: CalendarEventsDeps) {
    this.#deps = deps;
  }

  /**
   * Writes the event of a confirmed booking, and looks whether something else is at its time.
   * @throws CalendarRefused, CalendarReconnect, CalendarUnavailable
   */
  async write(scope: OrgScope, bookingId: string): Promise<EventOutcome> {
    const place = await this.#placeOf(scope, bookingId, 'confirmed');
    if (!place) return 'none';
    return this.#noting(scope, place, async () => {
      const { booking, calendarId, signal } = place;
      const account = this.#deps.accounts.open(scope, place.connection);
      const before = writtenBefore(booking);
      const event = eventOf(await this.#deps.bookings.open(scope, booking));
      const outcome = await account.writeEvent(calendarId, event, before, { signal });
      if (outcome.state === 'deleted') {
        await this.#deps.follower.followRemoval(scope, bookingId);
        return 'deleted';
      }
      // While it is not recorded, all of it is done again.
      if (await this.#isOverlapping(place, account, outcome))
        await this.#deps.follower.noteConflict(scope, bookingId);
      const { calendarId: writtenTo, eventId, version: eventVersion } = outcome;
      await this.#deps.followed.settleCalendar(scope, booking, {
        calendarStatus: 'written',
        calendarError: null,
        calendarId: writtenTo,
        eventId,
        eventVersion,
      });
      return 'written';
    });
  }

  /** Removes the event of a cancelled booking. @throws like `write` */
  async remove(scope: OrgScope, bookingId: string): Promise<EventOutcome> {
    const place = await this.#placeOf(scope, bookingId, 'cancelled');
    if (!place) return 'none';
    return this.#noting(scope, place, async () => {
      const { booking, calendarId, signal } = place;
      const account = this.#deps.accounts.open(scope, place.connection);
      await account.removeEvent(calendarId, { bookingId, eventId: booking.eventId }, { signal });
      await this.#deps.followed.settleCalendar(scope, booking, {
        calendarStatus: 'removed',
        calendarError: null,
      });
      await this.#deps.health.askForSync(scope, place.connection);
      return 'removed';
    });
  }

  /** Where the event is, or is to be; null where there is nothing to do. */
  async #placeOf(scope: OrgScope, bookingId: string, status: Booking['status']): Promise<Place | null> {
    const { bookings, followed, connections } = this.#deps;
    const booking = await bookings.get(scope, bookingId);
    if (booking.status !== status) return null;
    const connection = booking.connectionId ? await connections.find(scope, booking.connectionId) : null;
    const calendarId = booking.calendarId ?? (connection && bookingCalendarId(connection));
    if (!connection || connection.hiddenAt || connection.provider === 'local' || calendarId === null) {
      if (booking.calendarStatus === 'pending')
        await followed.settleCalendar(scope, booking, { calendarStatus: 'none', calendarError: null });
      return null;
    }
    // Settings may change before what is written is recorded.
    if (booking.calendarId === null) await bookings.update(scope, bookingId, { calendarId });
    const signal = AbortSignal.timeout(LONGEST_MS);
    return { booking, connection, calendarId, signal };
  }

  /** Whether something else is in any of the calendars at its time. */
  async #isOverlapping(
    { booking, connection, signal }: Place,
    account: CalendarAccount,
    ref: EventRef,
  ): Promise<boolean> {
    const range = { start: booking.startsAt, end: booking.endsAt };
    const others = readCalendarIds(connection).filter((id) => id !== ref.calendarId);
    try {
      if (isBusyWithin(await account.readBusyBeside(ref, range, { signal }), range)) return true;
      const read = others.length > 0 ? await account.readBusy(others, range, { signal }) : [];
      return read.some((calendar) => 'busy' in calendar && isBusyWithin(calendar.busy, range));
    } catch (error) {
      // The event itself is there; syncs tell of a calendar that cannot be read.
      if (error instanceof CalendarRefused) return false;
      throw error;
    }
  }

  /** Tells the team why the calendar does not follow. */
  async #noting(
    scope: OrgScope,
    { booking, connection }: Place,
    work: () => Promise<EventOutcome>,
  ): Promise<EventOutcome> {
    const { bookings, followed, health } = this.#deps;
    try {
      return await work();
    } catch (error) {
      if (error instanceof CalendarRefused)
        await followed.settleCalendar(scope, booking, {
          calendarStatus: 'failed',
          calendarError: error.message,
          // Was it never written, the calendar that is chosen next is the one to try.
          ...(booking.status === 'confirmed' && booking.eventId === null && { calendarId: null }),
        });
      else if (error instanceof CalendarReconnect || error instanceof CalendarUnavailable) {
        await bookings.update(scope, booking.id, { calendarError: error.message });
        await health.noteFailure(scope, connection, error);
      }
      throw error;
    }
  }
}

function eventOf(booking: Opened<Booking>): CalendarEvent {
  const { id, orgId, startsAt, endsAt, timezone, summary, description, attendeeName, attendeeEmail } =
    booking;
  const who = [attendeeName, attendeeEmail && `<${attendeeEmail}>`].filter(Boolean).join(' ');
  return {
    bookingId: id,
    orgId,
    start: startsAt,
    end: endsAt,
    timezone,
    summary,
    description: [who, description].filter(Boolean).join('\n\n'),
  };
}

/** Null for one that was never recorded as written, though it may have been. */
function writtenBefore({ calendarId, eventId, eventVersion }: Booking) {
  return calendarId !== null && eventId !== null ? { eventId, version: eventVersion } : null;
}
