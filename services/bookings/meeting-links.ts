import type { Keyring } from '../../adapters/keys/keyring.ts';
import { isUuid } from '../../core/ids.ts';

interface MeetingToken {
  booking_id: string;
}

export interface MeetingLinkDeps {
  keyring: Keyring;
  baseUrl: string;
}

/**
 * Builds links to an attendee's meeting page. The link of a booking never changes, and anyone who has it can
 * open the page.
 */
export class MeetingLinks {
  readonly #deps: MeetingLinkDeps;

  constructor(deps: MeetingLinkDeps) {
    this.#deps = deps;
  }

  buildPageUrl(bookingId: string): string {
    return buildMeetingUrl(this.#deps, bookingId);
  }

  /** Returns the URL of the meeting's calendar file, which the attendee can download. */
  buildFileUrl(bookingId: string): string {
    return `${this.buildPageUrl(bookingId)}/meeting.ics`;
  }
}

export function buildMeetingUrl({ keyring, baseUrl }: MeetingLinkDeps, bookingId: string): string {
  return `${baseUrl}/meetings/${signMeetingToken(keyring, bookingId)}`;
}

export function signMeetingToken(keyring: Keyring, bookingId: string): string {
  return keyring.sign('meeting', { booking_id: bookingId } satisfies MeetingToken);
}

/** Returns the id of the booking that a meeting link's token names; null if the token is invalid. */
export function verifyMeetingToken(keyring: Keyring, token: string): string | null {
  const { booking_id: id } = keyring.verify<MeetingToken>('meeting', token) ?? {};
  return id !== undefined && isUuid(id) ? id : null;
}
