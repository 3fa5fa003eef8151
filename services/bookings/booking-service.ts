import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { requireTimeZone } from '../../core/require-time-zone.ts';
import { isVisible } from '../../core/text/visible-text.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Booking, BookingStatus, Canceller } from '../../entities/bookings/booking.entity.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { RecipientLimits } from '../mail/senders/recipient-limits.ts';
import type { BookingWriter } from './booking-writer.ts';
import { SlotTaken, type CalendarSnapshot, type SlotService } from './slot-service.ts';
import { parseTimeRange, type TimeRangeQuery } from './time-range.ts';

/** A booking request by the team or a visitor. */
export interface BookingInput {
  start: Date;
  summary: string;
  description: string | null;
  attendeeName: string | null;
  attendeeEmail: string | null;
  attendeeTimezone: string | null;
}

/** Team member or API key that books a meeting. */
export interface Booker {
  /** Id of the member's account, or of the account that created the API key. */
  accountId: string;
  /** Id of the member's account; null for an API key. */
  userId: string | null;
}

/**
 * Number of emails that are counted against limits when a booking is made: its confirmation and a possible
 * cancellation. Other emails are counted when they are sent.
 */
export const EMAILS_PER_BOOKING = 2;

export interface BookingListQuery extends TimeRangeQuery {
  status?: BookingStatus | undefined;
  botId?: string | undefined;
}

export interface BookingServiceDeps {
  bookings: BookingRepository;
  slots: SlotService;
  writer: BookingWriter;
  recipients: RecipientLimits;
  clock: Clock;
}

const DEFAULT_DAYS = 31;
const MAX_DAYS = 92;
const MAX_LISTED = 5000;

/** Manages bookings made by the team, and applies changes that owners make in their calendar app. */
export class BookingService {
  readonly #deps: BookingServiceDeps;

  constructor(deps: BookingServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the workspace's bookings, sorted by start.
   * @throws AppError `validation_error` if the range is empty or too long, or contains too many bookings
   */
  async list(scope: OrgScope, { status, botId, ...range }: BookingListQuery): Promise<Opened<Booking>[]> {
    const bounds = { defaultDays: DEFAULT_DAYS, maxDays: MAX_DAYS };
    const { start, end } = parseTimeRange(range, this.#deps.clock.now(), bounds);
    const filter = { from: new Date(start), to: new Date(end), status, botId };
    const rows = await this.#deps.bookings.listStarting(scope, filter, MAX_LISTED + 1);
    if (rows.length <= MAX_LISTED) return this.#deps.bookings.openAll(scope, rows);
    throw new AppError(
      'validation_error',
      `There are more than ${MAX_LISTED} bookings in this range; request a shorter range.`,
    );
  }

  /** @throws AppError `forbidden` or `not_found` for the id of the booking */
  async get(scope: OrgScope, id: string): Promise<Opened<Booking>> {
    return this.open(scope, await this.#deps.bookings.get(scope, id));
  }

  /** Decrypts a booking. @throws AppError `key_unavailable` */
  open(scope: OrgScope, booking: Booking): Promise<Opened<Booking>> {
    return this.#deps.bookings.open(scope, booking);
  }

  /**
   * Checks that the calendar is free at the time of a booking, before the transaction of `create`.
   * @throws AppError the errors of `create`; `not_ready` if the calendar cannot be read
   */
  async prepare(scope: OrgScope, input: BookingInput): Promise<CalendarSnapshot> {
    validateBooking(input);
    return this.#deps.slots.checkSlot(scope, input.start, 'team');
  }

  /**
   * Creates a booking at a time at which `prepare` has found the calendar free.
   * @throws AppError `validation_error` for a start that is not offered; `slot_taken`; `conflict` if the
   *   settings have changed; `rate_limited` for too many emails
   */
  create(
    scope: OrgScope,
    { accountId, userId }: Booker,
    input: BookingInput,
    snapshot: CalendarSnapshot,
  ): Promise<Opened<Booking>> {
    return inTransaction(scope, async (tx) => {
      const { slots, writer, recipients } = this.#deps;
      const free = await slots.requireFreeSlot(tx, input.start, 'team', snapshot);
      const row = { ...toStoredTexts(input), id: newId(), source: 'team', bookedBy: userId } as const;
      const heldBooking = await writer.hold(tx, snapshot.connection, { ...row, ...free });
      if (!heldBooking) throw new SlotTaken();
      // Counts emails last: the counter blocks other bookings of the workspace until the commit.
      if (heldBooking.attendeeEmail !== null)
        await recipients.spend(tx, {
          to: heldBooking.attendeeEmail,
          by: { accountId },
          count: EMAILS_PER_BOOKING,
          field: 'attendee_email',
        });
      return writer.begin(tx, heldBooking);
    });
  }

  /**
   * Cancels the booking; returns it unchanged if it is canceled already.
   * @throws AppError `conflict` once the meeting has begun; `forbidden`, `not_found`
   */
  cancel(scope: OrgScope, id: string, by: Extract<Canceller, 'team' | 'attendee'>): Promise<Booking> {
    return inTransaction(scope, async (tx) => {
      const { bookings, writer, clock } = this.#deps;
      const booking = await bookings.lock(tx, id);
      if (booking.status === 'cancelled') return booking;
      if (booking.startsAt <= clock.now())
        throw new AppError('conflict', 'The meeting has started and can no longer be canceled.');
      return writer.cancel(tx, booking, by);
    });
  }

  /**
   * Moves the booking after the calendar's owner moved its event. The new time need not be free. If the event
   * has no length, the booking's length does not change.
   */
  applyMove(scope: OrgScope, id: string, moved: { start: Date; end: Date }): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { bookings, writer } = this.#deps;
      const booking = await bookings.findLocked(tx, id);
      if (booking?.status !== 'confirmed') return;
      const { startsAt, endsAt, blockedUntil: blocked } = booking;
      const { start } = moved;
      const lengthMs = endsAt.getTime() - startsAt.getTime();
      const end = moved.end > start ? moved.end : new Date(start.getTime() + lengthMs);
      if (startsAt.getTime() === start.getTime() && endsAt.getTime() === end.getTime()) return;
      const blockedUntil = new Date(end.getTime() + blocked.getTime() - endsAt.getTime());
      // The update fails if another booking for this time is created concurrently. The next attempt then
      // finds the overlap.
      const overlaps = await bookings.hasOverlapping(tx, id, { from: start, to: blockedUntil });
      const changes = { startsAt: start, endsAt: end, blockedUntil, isExclusive: !overlaps };
      const movedBooking = await writer.update(tx, booking, { ...changes, hasConflict: overlaps }, 'changed');
      if (overlaps) await writer.announce(tx, 'booking.conflict', movedBooking);
    });
  }

  /** Cancels the booking after the calendar's owner deleted its event. Past bookings stay unchanged. */
  applyRemoval(scope: OrgScope, id: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { bookings, writer, clock } = this.#deps;
      const booking = await bookings.findLocked(tx, id);
      if (booking?.status !== 'confirmed' || booking.endsAt <= clock.now()) return;
      await writer.cancel(tx, booking, 'calendar', { calendarStatus: 'removed', calendarError: null });
    });
  }

  /**
   * Records that the calendar has another event at the booking's time. The team decides whether the meeting
   * or the event takes place.
   */
  noteConflict(scope: OrgScope, id: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { bookings, writer } = this.#deps;
      const booking = await bookings.findLocked(tx, id);
      if (booking?.status !== 'confirmed' || booking.hasConflict) return;
      await bookings.update(tx, id, { hasConflict: true, updatedAt: () => 'now()' });
      await writer.signal(tx, booking, 'changed');
      await writer.announce(tx, 'booking.conflict', booking);
    });
  }
}

/**
 * Validates rules for a booking that the JSON schema cannot express.
 * @throws AppError `validation_error`
 */
export function validateBooking({ attendeeTimezone }: BookingInput): void {
  if (attendeeTimezone !== null) requireTimeZone(attendeeTimezone, 'timezone', 'query');
}

/** Trims the texts of a booking. Texts without visible characters become null. */
export function toStoredTexts({
  summary,
  description,
  attendeeName,
  attendeeEmail,
  attendeeTimezone,
}: BookingInput): Pick<
  Opened<Booking>,
  'summary' | 'description' | 'attendeeName' | 'attendeeEmail' | 'attendeeTimezone'
> {
  const visibleOrNull = (text: string | null) => (text !== null && isVisible(text) ? text.trim() : null);
  return {
    summary: summary.trim(),
    description: visibleOrNull(description),
    attendeeName: visibleOrNull(attendeeName),
    attendeeEmail: visibleOrNull(attendeeEmail),
    attendeeTimezone: attendeeTimezone && requireTimeZone(attendeeTimezone, 'timezone', 'query'),
  };
}
