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
import { findBookingCalendarId, readCalendarIds } from './read-calendar-ids.ts';

export interface CalendarEventsDeps {
  bookings: BookingRepository;
  /** Stores the results of writing events, unless the booking has changed since it was read. */
  followed: FollowedBookingRepository;
  connections: CalendarConnectionRepository;
  accounts: CalendarAccounts;
  health: CalendarHealth;
  follower: CalendarFollower;
}

/**
 * Result of writing or removing a booking's event. `none`: no calendar to write to. `deleted`: the calendar's
 * owner has deleted the event.
 */
export type EventOutcome = 'none' | 'written' | 'removed' | 'deleted';

/**
 * Time limit in milliseconds for writing or removing one event. It is shorter than the activity's timeout, so
 * that the provider's error is recorded.
 */
const MAX_STEP_MS = 18_000;

interface EventTarget {
  booking: Booking;
  connection: CalendarConnection;
  calendarId: string;
  /** Signal that aborts the step's calls of the calendar provider at its time limit. */
  signal: AbortSignal;
}

/** Writes events of bookings to calendars, and removes them. Each step is idempotent. */
export class CalendarEvents {
  readonly #deps: CalendarEventsDeps;

  constructor(deps: CalendarEventsDeps) {
    this.#deps = deps;
  }

  /**
   * Writes the event of a confirmed booking, and checks for other events at its time.
   * @throws CalendarRefused, CalendarReconnect, CalendarUnavailable
   */
  async write(scope: OrgScope, bookingId: string): Promise<EventOutcome> {
    const target = await this.#findTarget(scope, bookingId, 'confirmed');
    if (!target) return 'none';
    return this.#recordFailures(scope, target, async () => {
      const { booking, calendarId, signal } = target;
      const account = await this.#deps.accounts.open(scope, target.connection);
      const before = pickWrittenEvent(booking);
      const event = toCalendarEvent(await this.#deps.bookings.open(scope, booking));
      const outcome = await account.writeEvent(calendarId, event, before, { signal });
      if (outcome.state === 'deleted') {
        await this.#deps.follower.applyRemoval(scope, bookingId);
        return 'deleted';
      }
      // Checks for conflicts before the event is recorded: if the check fails, the whole step is repeated.
      if (await this.#isOverlapping(target, account, outcome))
        await this.#deps.follower.noteConflict(scope, bookingId);
      const { calendarId: writtenTo, eventId, version: eventVersion } = outcome;
      await this.#deps.followed.storeCalendarResult(scope, booking, {
        calendarStatus: 'written',
        calendarError: null,
        calendarId: writtenTo,
        eventId,
        eventVersion,
      });
      return 'written';
    });
  }

  /**
   * Removes the event of a canceled booking.
   * @throws CalendarRefused, CalendarReconnect, CalendarUnavailable
   */
  async remove(scope: OrgScope, bookingId: string): Promise<EventOutcome> {
    const target = await this.#findTarget(scope, bookingId, 'cancelled');
    if (!target) return 'none';
    return this.#recordFailures(scope, target, async () => {
      const { booking, calendarId, signal } = target;
      const account = await this.#deps.accounts.open(scope, target.connection);
      await account.removeEvent(calendarId, { bookingId, eventId: booking.eventId }, { signal });
      await this.#deps.followed.storeCalendarResult(scope, booking, {
        calendarStatus: 'removed',
        calendarError: null,
      });
      await this.#deps.health.requestSync(scope, target.connection);
      return 'removed';
    });
  }

  /**
   * Finds the calendar in which the booking's event must be written or removed; null if the event needs no
   * change.
   */
  async #findTarget(
    scope: OrgScope,
    bookingId: string,
    status: Booking['status'],
  ): Promise<EventTarget | null> {
    const { bookings, followed, connections } = this.#deps;
    const booking = await bookings.get(scope, bookingId);
    if (booking.status !== status) return null;
    const connection = booking.connectionId ? await connections.find(scope, booking.connectionId) : null;
    const calendarId = booking.calendarId ?? (connection && findBookingCalendarId(connection));
    if (!connection || connection.hiddenAt || connection.provider === 'local' || calendarId === null) {
      if (booking.calendarStatus === 'pending')
        await followed.storeCalendarResult(scope, booking, { calendarStatus: 'none', calendarError: null });
      return null;
    }
    // Records the calendar before the event is written, since the settings may change meanwhile.
    if (booking.calendarId === null) await bookings.update(scope, bookingId, { calendarId });
    const signal = AbortSignal.timeout(MAX_STEP_MS);
    return { booking, connection, calendarId, signal };
  }

  /** Returns true if any calendar of the connected account has another event at the booking's time. */
  async #isOverlapping(
    { booking, connection, signal }: EventTarget,
    account: CalendarAccount,
    ref: EventRef,
  ): Promise<boolean> {
    const range = { start: booking.startsAt, end: booking.endsAt };
    const otherIds = readCalendarIds(connection).filter((id) => id !== ref.calendarId);
    try {
      if (isBusyWithin(await account.readBusyExcept(ref, range, { signal }), range)) return true;
      const otherCalendars = otherIds.length > 0 ? await account.readBusy(otherIds, range, { signal }) : [];
      return otherCalendars.some((calendar) => 'busy' in calendar && isBusyWithin(calendar.busy, range));
    } catch (error) {
      // The booking's event is written. Errors of the other calendars are ignored here: the sync reports
      // them.
      if (error instanceof CalendarRefused) return false;
      throw error;
    }
  }

  /**
   * Records a failed write in the booking. If the calendar connection failed, records that as well, and
   * informs the team by email.
   */
  async #recordFailures(
    scope: OrgScope,
    { booking, connection }: EventTarget,
    work: () => Promise<EventOutcome>,
  ): Promise<EventOutcome> {
    const { bookings, followed, health } = this.#deps;
    try {
      return await work();
    } catch (error) {
      if (error instanceof CalendarRefused)
        await followed.storeCalendarResult(scope, booking, {
          calendarStatus: 'failed',
          calendarError: error.message,
          // If the event was never written, the next attempt uses the calendar that is selected at that time.
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

function toCalendarEvent(booking: Opened<Booking>): CalendarEvent {
  const { id, orgId, startsAt, endsAt, timezone, summary, description, attendeeName, attendeeEmail } =
    booking;
  const attendee = [attendeeName, attendeeEmail && `<${attendeeEmail}>`].filter(Boolean).join(' ');
  return {
    bookingId: id,
    orgId,
    start: startsAt,
    end: endsAt,
    timezone,
    summary,
    description: [attendee, description].filter(Boolean).join('\n\n'),
  };
}

/**
 * Returns the booking's calendar event; null if it was not recorded as written. A failed attempt may still
 * have written it.
 */
function pickWrittenEvent({ calendarId, eventId, eventVersion }: Booking) {
  return calendarId !== null && eventId !== null ? { eventId, version: eventVersion } : null;
}
