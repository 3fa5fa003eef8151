import { formatMeetingDay, formatMeetingTime } from '../../core/bookings/meeting-time.ts';
import { formatLabeled, getDefaultLanguage, type Language } from '../../core/languages.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import type {
  FollowedBookingRepository,
  TimedBooking,
} from '../../repositories/bookings/followed-booking.repository.ts';
import type { CalendarConnectionRepository } from '../../repositories/bookings/calendar-connection.repository.ts';
import { composeSubject } from '../mail/rendering/render-mail.ts';
import type { TeamNotices } from '../mail/notices/team-notices.ts';
import { teamMeetingWords, type TeamMeetingKind } from './team-meeting-words.ts';

export interface BookingNoticesDeps {
  rows: FollowedBookingRepository;
  connections: CalendarConnectionRepository;
  teamNotices: Pick<TeamNotices, 'mailMeeting'>;
}

/** Informs the team by email when a booking is made, moved or canceled, once for each state. */
export class BookingNotices {
  readonly #deps: BookingNoticesDeps;

  constructor(deps: BookingNoticesDeps) {
    this.#deps = deps;
  }

  /**
   * Queues emails to the team about changes of a booking that the team does not know yet.
   * @param tx transaction that has locked the booking
   */
  async queueDueNotices(tx: OrgScope, { booking, startsInMs }: TimedBooking): Promise<void> {
    const { id, sequence, status, hasConflict, announcedSequence, conflictSequence } = booking;
    const isUnannounced = announcedSequence !== sequence;
    const isConflictUnannounced = hasConflict && status === 'confirmed' && conflictSequence !== sequence;
    if (!isUnannounced && !isConflictUnannounced) return;
    if (startsInMs > 0) {
      const kind = findNoticeKind(booking);
      if (isUnannounced && kind !== null) await this.#notifyTeam(tx, booking, kind);
      if (isConflictUnannounced) await this.#notifyTeam(tx, booking, 'conflict');
    }
    await this.#deps.rows.update(tx, id, {
      announcedSequence: sequence,
      ...(isConflictUnannounced && { conflictSequence: sequence }),
    });
  }

  async #notifyTeam(tx: OrgScope, stored: Booking, kind: TeamMeetingKind): Promise<void> {
    const { rows, connections, teamNotices } = this.#deps;
    const booking = await rows.open(tx, stored);
    const { id, sequence, connectionId } = booking;
    const connection = connectionId === null ? null : await connections.find(tx, connectionId);
    const template = `meeting_${kind}` as const;
    const { name, settings } = await rows.getWorkspace(tx);
    const language = getDefaultLanguage(settings);
    const content = { template, data: composeNoticeData(booking, kind, { name, language }) };
    await teamNotices.mailMeeting(tx, content, {
      key: `booking/${id}/${sequence}/${template}`,
      connectedBy: connection?.connectedBy ?? null,
      last: teamMeetingWords[language].last,
    });
  }
}

/**
 * Returns the kind of email that the team must get about a booking. Null if the booking was canceled before
 * the team got an email about it.
 */
function findNoticeKind({ status, announcedSequence }: Booking): TeamMeetingKind | null {
  if (announcedSequence === null) return status === 'confirmed' ? 'booked' : null;
  return status === 'confirmed' ? 'moved' : 'cancelled';
}

function composeNoticeData(
  booking: Opened<Booking>,
  kind: TeamMeetingKind,
  { name, language }: { name: string; language: Language },
) {
  const { startsAt: start, endsAt: end, timezone: timeZone, summary, cancelledBy } = booking;
  const words = teamMeetingWords[language];
  const attendee = [booking.attendeeName, booking.attendeeEmail].filter(Boolean).join(', ');
  return {
    language,
    subject: composeSubject(words.subjects[kind], formatMeetingDay({ start, timeZone }, language)),
    greeting: words.greeting,
    intro: words.intros[kind](name),
    details: [
      formatLabeled(language, words.when, formatMeetingTime({ start, end, timeZone }, language)),
      ...(summary === '' ? [] : [formatLabeled(language, words.what, summary)]),
      ...(attendee === '' ? [] : [formatLabeled(language, words.who, attendee)]),
      ...(cancelledBy === null ? [] : [formatLabeled(language, words.by, words.cancellers[cancelledBy])]),
    ],
    open: words.open,
    why: words.why,
    turnOff: words.turnOff,
  };
}
