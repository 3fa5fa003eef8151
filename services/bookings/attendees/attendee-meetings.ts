import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { notFound } from '../../../core/errors/errors.ts';
import type { Language } from '../../../core/languages.ts';
import type { Database } from '../../../database/database.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Booking } from '../../../entities/bookings/booking.entity.ts';
import type { FollowedBookingRepository } from '../../../repositories/bookings/followed-booking.repository.ts';
import { verifyMeetingToken } from '../meeting-links.ts';
import type { AttendeeFacts, AttendeeFactsReader } from './attendee-facts.ts';
import type { AttendeeMails } from './attendee-mails.ts';

export interface AttendeeMeetingsDeps {
  rows: FollowedBookingRepository;
  facts: AttendeeFactsReader;
  attendeeMails: AttendeeMails;
  keyring: Keyring;
  /**
   * Function that cancels a booking when its attendee requests this.
   * @throws AppError `conflict` once the meeting has begun
   */
  cancel: (scope: OrgScope, bookingId: string) => Promise<unknown>;
}

/**
 * State of a meeting, as shown to its attendee. The attendee can cancel the meeting only while the state is
 * `to_come`.
 */
type MeetingState = 'to_come' | 'begun' | 'over' | 'cancelled';

export interface AttendeeMeeting extends AttendeeFacts {
  state: MeetingState;
  start: Date;
  end: Date;
}

/** Shows meetings to their attendees, whose only credential is a link. */
export class AttendeeMeetings {
  readonly #deps: AttendeeMeetingsDeps;

  constructor(deps: AttendeeMeetingsDeps) {
    this.#deps = deps;
  }

  /**
   * @param chosenLanguage language that the attendee has chosen
   * @throws AppError `not_found` for an invalid token or a deleted meeting
   */
  async get(db: Database, token: string, chosenLanguage?: Language): Promise<AttendeeMeeting> {
    const { scope, id } = await this.#resolveToken(db, token);
    const timed = await this.#deps.rows.findTimed(scope, id);
    if (timed === null) throw notFound('meeting');
    const { booking, startsInMs, endsInMs } = timed;
    const facts = await this.#deps.facts.read(scope, booking, chosenLanguage);
    const { startsAt: start, endsAt: end } = booking;
    return { ...facts, start, end, state: deriveMeetingState(booking, startsInMs, endsInMs) };
  }

  /**
   * Cancels the meeting for its attendee; does nothing if it is canceled already.
   * @throws AppError `not_found` for an invalid token or a deleted meeting; `conflict` once it has begun
   */
  async cancel(db: Database, token: string): Promise<void> {
    const { scope, id } = await this.#resolveToken(db, token);
    await this.#deps.cancel(scope, id);
  }

  /**
   * Returns the meeting as a calendar file for its attendee.
   * @throws AppError `not_found` for an invalid token or a deleted meeting
   */
  async getCalendarFile(db: Database, token: string): Promise<string> {
    const { scope, id } = await this.#resolveToken(db, token);
    const booking = await this.#deps.rows.find(scope, id);
    if (booking === null) throw notFound('meeting');
    return this.#deps.attendeeMails.composeCalendarFile(scope, booking);
  }

  async #resolveToken(db: Database, token: string): Promise<{ scope: OrgScope; id: string }> {
    const { rows, keyring } = this.#deps;
    const id = verifyMeetingToken(keyring, token);
    const orgId = id === null ? null : await rows.findOrgId(db, id);
    if (id === null || orgId === null) throw notFound('meeting');
    return { scope: { db, orgId }, id };
  }
}

function deriveMeetingState({ status }: Booking, startsInMs: number, endsInMs: number): MeetingState {
  if (status === 'cancelled') return 'cancelled';
  if (endsInMs <= 0) return 'over';
  return startsInMs <= 0 ? 'begun' : 'to_come';
}
