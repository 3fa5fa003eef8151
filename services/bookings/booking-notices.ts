import { meetingDayText, meetingTimeText } from '../../core/bookings/meeting-time.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Booking, Canceller } from '../../entities/bookings/booking.entity.ts';
import type {
  FollowedBookingRepository,
  TimedBooking,
} from '../../repositories/bookings/followed-booking.repository.ts';
import type { CalendarConnectionRepository } from '../../repositories/bookings/calendar-connection.repository.ts';
import type { TeamNotices } from '../mail/team-notices.service.ts';

export interface BookingNoticesDeps {
  rows: FollowedBookingRepository;
  connections: CalendarConnectionRepository;
  teamNotices: Pick<TeamNotices, 'meeting'>;
}

const cancellers: Record<Canceller, string> = {
  team: 'the team',
  attendee: 'the attendee',
  calendar: 'whoever has deleted it in the calendar',
  erasure: 'the erasure of its contact',
};

/** Mail to the team about bookings: each state is told once. */
export class BookingNotices {
  readonly #deps: BookingNoticesDeps;

  constructor(deps: BookingNoticesDeps) {
    this.#deps = deps;
  }

  /** Queues what the team does not know yet. @param tx has locked the booking */
  async bringUpToDate(tx: OrgScope, { booking, startsInMs }: TimedBooking): Promise<void> {
    const { id, sequence, status, hasConflict, announcedSequence, conflictSequence, cancelledBy } = booking;
    const isNews = announcedSequence !== sequence;
    const isConflictNews = hasConflict && status === 'confirmed' && conflictSequence !== sequence;
    if (!isNews && !isConflictNews) return;
    if (startsInMs > 0) {
      const data = await this.#dataOf(tx, booking);
      const by = cancellers[cancelledBy ?? 'team'];
      // What was cancelled before anybody knew of it is no news.
      if (isNews && announcedSequence === null && status === 'confirmed')
        await this.#tell(tx, booking, { template: 'meeting_booked', data });
      else if (isNews && announcedSequence !== null && status === 'confirmed')
        await this.#tell(tx, booking, { template: 'meeting_moved', data });
      else if (isNews && announcedSequence !== null)
        await this.#tell(tx, booking, { template: 'meeting_cancelled', data: { ...data, by } });
      if (isConflictNews) await this.#tell(tx, booking, { template: 'meeting_conflict', data });
    }
    await this.#deps.rows.update(tx, id, {
      announcedSequence: sequence,
      ...(isConflictNews && { conflictSequence: sequence }),
    });
  }

  async #tell(
    tx: OrgScope,
    { id, sequence, connectionId }: Booking,
    said: Parameters<TeamNotices['meeting']>[1],
  ): Promise<void> {
    const { connections, teamNotices } = this.#deps;
    const connection = connectionId === null ? null : await connections.find(tx, connectionId);
    const key = `booking/${id}/${sequence}/${said.template}`;
    await teamNotices.meeting(tx, said, key, connection?.connectedBy ?? null);
  }

  async #dataOf(tx: OrgScope, booking: Booking) {
    const {
      startsAt: start,
      endsAt: end,
      timezone: timeZone,
      summary,
      attendeeName,
      attendeeEmail,
    } = booking;
    const { name: orgName } = await this.#deps.rows.workspaceOf(tx);
    return {
      orgName,
      when: meetingTimeText({ start, end, timeZone }, 'en'),
      day: meetingDayText({ start, timeZone }, 'en'),
      what: summary || 'A meeting',
      who: [attendeeName, attendeeEmail].filter(Boolean).join(', ') || 'Nobody is named.',
    };
  }
}
