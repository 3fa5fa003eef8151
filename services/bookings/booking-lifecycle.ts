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

export interface BookingLifecycleDeps {
  rows: FollowedBookingRepository;
  attendeeMails: AttendeeMails;
  notices: BookingNotices;
  events: Pick<CalendarEvents, 'write' | 'remove'>;
}

/** State of a booking, according to which its workflow acts. */
export interface BookingProgress {
  status: Booking['status'];
  calendar: Booking['calendarStatus'];
  calendarError: string | null;
  isOver: boolean;
  /**
   * True while an email about an earlier state of the booking waits to be sent. The workflow waits for it.
   */
  isSettling: boolean;
  /** Milliseconds until the next step of the booking's workflow is due. */
  waitMs: number;
}

/**
 * Time limit in milliseconds for a workflow to write or remove a booking's calendar event. A booking that
 * takes longer counts as stalled.
 */
const MAX_ATTEMPT_MS = 10 * 60_000;
const MEETING_OVER = 'The meeting was over before the calendar could be reached.';

/** Performs the steps of a booking's workflow. Each step is idempotent. */
export class BookingLifecycle {
  readonly #deps: BookingLifecycleDeps;

  constructor(deps: BookingLifecycleDeps) {
    this.#deps = deps;
  }

  /**
   * Writes the booking's event to the calendar, or removes it if the booking was canceled. Does nothing if no
   * change is pending.
   * @throws CalendarRefused, CalendarReconnect, CalendarUnavailable
   */
  async followCalendar(db: Database, { orgId, bookingId }: BookingInput): Promise<void> {
    const { rows, events } = this.#deps;
    const scope = { orgId, db };
    const stored = await rows.find(scope, bookingId);
    // Also removes the event of a failed write: the failed write may have reached the calendar.
    if (stored?.status === 'cancelled') await rows.markPending(scope, bookingId, ['written', 'failed']);
    const booking = await rows.find(scope, bookingId);
    if (booking?.calendarStatus !== 'pending') return;
    await rows.markDue(scope, bookingId, MAX_ATTEMPT_MS);
    await (booking.status === 'confirmed' ? events.write(scope, bookingId) : events.remove(scope, bookingId));
  }

  /**
   * Marks the writing of the booking to the calendar as failed. No further attempts are made until a member
   * of the team retries.
   */
  async giveUpCalendar(db: Database, { orgId, bookingId, reason }: BookingInput & { reason: string }) {
    const { rows } = this.#deps;
    const scope = { orgId, db };
    const booking = await rows.find(scope, bookingId);
    if (booking === null) return;
    await rows.storeCalendarResult(scope, booking, { calendarStatus: 'failed', calendarError: reason });
  }

  /** Resets the failed calendar status of a booking to pending, so that the next step tries again. */
  async retryCalendar(db: Database, { orgId, bookingId }: BookingInput): Promise<void> {
    await this.#deps.rows.markPending({ orgId, db }, bookingId, ['failed']);
  }

  /**
   * Queues the emails about a booking that are due to the attendee and the team. Returns null if the booking
   * was deleted.
   * @param input the booking; `isBlocked` is true if the calendar cannot be retried before a person acts
   */
  queueDueMails(
    db: Database,
    { orgId, bookingId, isBlocked = false }: BookingInput & { isBlocked?: boolean },
  ): Promise<BookingProgress | null> {
    return inTransaction({ orgId, db }, async (tx) => {
      const { rows, attendeeMails, notices } = this.#deps;
      const timed = await rows.findTimedLocked(tx, bookingId);
      if (timed === null) return null;
      const mails = await attendeeMails.queueDueMail(tx, timed);
      await notices.queueDueNotices(tx, timed);
      const progress = await this.#toProgress(tx, timed, mails);
      await rows.markDue(tx, bookingId, computeDueMs(progress, isBlocked));
      return progress;
    });
  }

  async #toProgress(
    tx: OrgScope,
    timed: TimedBooking,
    { isSettling, waitMs: mailsInMs }: AttendeeMailProgress,
  ): Promise<BookingProgress> {
    const { booking, startsInMs, endsInMs } = timed;
    const isOver = endsInMs <= 0;
    let { calendarStatus: calendar, calendarError } = booking;
    if (isOver && calendar === 'pending') {
      await this.#deps.rows.storeCalendarResult(tx, booking, {
        calendarStatus: 'failed',
        calendarError: MEETING_OVER,
      });
      [calendar, calendarError] = ['failed', MEETING_OVER];
    }
    const nextCheckMs = startsInMs > REMINDER_MS ? startsInMs - REMINDER_MS : endsInMs;
    const waitMs = Math.max(0, Math.min(nextCheckMs, mailsInMs));
    return { status: booking.status, calendar, calendarError, isOver, isSettling, waitMs };
  }
}

/**
 * Returns the milliseconds after which a booking's workflow counts as stalled; null if the workflow has no
 * further step.
 */
function computeDueMs(
  { status, calendar, isOver, isSettling, waitMs }: BookingProgress,
  isBlocked: boolean,
): number | null {
  if (isSettling) return 0;
  if (calendar === 'pending') return isBlocked ? waitMs : Math.min(waitMs, MAX_ATTEMPT_MS);
  return isOver || status === 'cancelled' ? null : waitMs;
}
