import type { Database } from '../../../database/database.ts';
import type { MailRow } from '../../../entities/mail/mail.entity.ts';
import type { FollowedBookingRepository } from '../../../repositories/bookings/followed-booking.repository.ts';
import { parseAttendeeMailKey } from './attendee-mail-kinds.ts';

/** Decides whether a queued email to a meeting's attendee may still be sent. */
export class AttendeeMailChecks {
  readonly #rows: FollowedBookingRepository;

  constructor(rows: FollowedBookingRepository) {
    this.#rows = rows;
  }

  /** Returns the reason why a queued email to the attendee must no longer be sent; null if it may be sent. */
  async findWithdrawalReason(
    db: Database,
    { orgId, key, userId }: Pick<MailRow, 'orgId' | 'key' | 'userId'>,
    to: string,
  ): Promise<string | null> {
    const mailKey = userId === null ? parseAttendeeMailKey(key) : null;
    if (mailKey === null || orgId === null) return null;
    const timed = await this.#rows.findTimed({ orgId, db }, mailKey.bookingId);
    if (timed === null) return 'The meeting no longer exists.';
    const { startsInMs } = timed;
    const booking = await this.#rows.open({ orgId, db }, timed.booking);
    if (booking.attendeeEmail !== to) return 'The attendee is no longer known.';
    if (startsInMs <= 0) return 'The meeting has begun.';
    if (mailKey.kind === 'cancelled') return null;
    if (booking.status === 'cancelled') return 'The meeting was canceled.';
    return booking.sequence === mailKey.sequence ? null : 'The meeting was moved.';
  }

  /**
   * Stores in the booking that its attendee was informed, since email rows are deleted earlier than bookings.
   */
  async noteSent(db: Database, { orgId, key, userId }: MailRow): Promise<void> {
    const mailKey = userId === null ? parseAttendeeMailKey(key) : null;
    if (mailKey === null || orgId === null || mailKey.kind === 'cancelled' || mailKey.kind === 'reminder')
      return;
    await this.#rows.markInvited({ orgId, db }, mailKey.bookingId, mailKey.sequence);
  }
}
