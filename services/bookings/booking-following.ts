import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import type {
  FollowedBookingRepository,
  TimedBooking,
} from '../../repositories/bookings/followed-booking.repository.ts';
import type { BookingInput } from '../../core/workflows/commands.ts';
import { REMINDER_MS, type AttendeeMailProgress, type AttendeeMails } from './attendees/attendee-mails.ts';
import type { BookingNotices } from './booking-notices.ts';
import type { CalendarEvents } from './calendars/calendar-events.ts';

export interface BookingFollowingDeps {
  rows: FollowedBookingRepository;
  attendeeMails: AttendeeMails;
  notices: BookingNotices;
  events: Pick<CalendarEvents, 'write' | 'remove'>;
}

/** Where a booking stands, for its workflow. */
export interface BookingProgress {
  status: Booking['status'];
  calendar: Booking['calendarStatus'];
  calendarError: string | null;
  isOver: boolean;
  /** Whether mails of a former state are still on their way, which are waited for. */
  isSettling: boolean;
  /** Until there is something to do by the clock. */
  waitMs: number;
}

/** An attempt at the calendar ends within it. */
const ATTEMPTED_WITHIN_MS = 10 * 60_000;
const OVER = 'The meeting was over before the calendar could be reached.';

/** What the workflow of a booking does with it. Each step may be repeated. */
export class BookingFollowing {
  readonly #deps: BookingFollowingDeps;

  constructor(deps: BookingFollowingDeps) {
    this.#deps = deps;
  }

  /**
   * Has the calendar follow, if it does not yet.
   * @throws CalendarRefused, CalendarReconnect, CalendarUnavailable
   */
  async followCalendar(db: Database, { orgId, bookingId }: BookingInput): Promise<void> {
    const { rows, events } = this.#deps;
    const scope = { orgId, db };
    const found = await rows.find(scope, bookingId);
    // What is in the calendar, or may be there, goes with the booking.
    if (found?.status === 'cancelled') await rows.markPending(scope, bookingId, ['written', 'failed']);
    const booking = await rows.find(scope, bookingId);
    if (booking?.calendarStatus !== 'pending') return;
    await rows.markDue(scope, bookingId, ATTEMPTED_WITHIN_MS);
    await (booking.status === 'confirmed' ? events.write(scope, bookingId) : events.remove(scope, bookingId));
  }

  /** Has the calendar tried no more. */
  async giveUpCalendar(db: Database, { orgId, bookingId, reason }: BookingInput & { reason: string }) {
    const { rows } = this.#deps;
    const scope = { orgId, db };
    const booking = await rows.find(scope, bookingId);
    if (booking === null) return;
    await rows.settleCalendar(scope, booking, { calendarStatus: 'failed', calendarError: reason });
  }

  /** Tries again what was given up. */
  async retryCalendar(db: Database, { orgId, bookingId }: BookingInput): Promise<void> {
    await this.#deps.rows.markPending({ orgId, db }, bookingId, ['failed']);
  }

  /**
   * Tells attendee and team what they do not know yet; null where the booking is gone.
   * @param input `isBlocked`: somebody has to do something before the calendar is tried again
   */
  bringUpToDate(
    db: Database,
    { orgId, bookingId, isBlocked = false }: BookingInput & { isBlocked?: boolean },
  ): Promise<BookingProgress | null> {
    return inTransaction({ orgId, db }, async (tx) => {
      const { rows, attendeeMails, notices } = this.#deps;
      const found = await rows.findTimedLocked(tx, bookingId);
      if (found === null) return null;
      const mails = await attendeeMails.bringUpToDate(tx, found);
      await notices.bringUpToDate(tx, found);
      const progress = await this.#progressOf(tx, found, mails);
      await rows.markDue(tx, bookingId, dueIn(progress, isBlocked));
      return progress;
    });
  }

  async #progressOf(
    tx: OrgScope,
    timed: TimedBooking,
    { isSettling, waitMs: mailsInMs }: AttendeeMailProgress,
  ): Promise<BookingProgress> {
    const { booking, startsInMs, endsInMs } = timed;
    const isOver = endsInMs <= 0;
    let { calendarStatus: calendar, calendarError } = booking;
    if (isOver && calendar === 'pending') {
      await this.#deps.rows.settleCalendar(tx, booking, { calendarStatus: 'failed', calendarError: OVER });
      [calendar, calendarError] = ['failed', OVER];
    }
    const lookInMs = startsInMs > REMINDER_MS ? startsInMs - REMINDER_MS : endsInMs;
    const waitMs = Math.max(0, Math.min(lookInMs, mailsInMs));
    return { status: booking.status, calendar, calendarError, isOver, isSettling, waitMs };
  }
}

/** Null where there is nothing left to do. */
function dueIn(
  { status, calendar, isOver, isSettling, waitMs }: BookingProgress,
  isBlocked: boolean,
): number | null {
  if (isSettling) return 0;
  if (calendar === 'pending') return isBlocked ? waitMs : Math.min(waitMs, ATTEMPTED_WITHIN_MS);
  return isOver || status === 'cancelled' ? null : waitMs;
}
