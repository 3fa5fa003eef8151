import type { Keyring } from '../../adapters/keys/keyring.ts';
import { isUuid } from '../../core/ids.ts';

interface MeetingToken {
  booking_id: string;
}

export interface MeetingLinkDeps {
  keyring: Keyring;
  baseUrl: string;
}

/** Where attendees see their meeting and cancel it: the same address each time, for whoever was given it. */
export class MeetingLinks {
  readonly #deps: MeetingLinkDeps;

  constructor(deps: MeetingLinkDeps) {
    this.#deps = deps;
  }

  pageOf(bookingId: string): string {
    return meetingUrl(this.#deps, bookingId);
  }

  /** Of the calendar file. */
  fileOf(bookingId: string): string {
    return `${this.pageOf(bookingId)}/meeting.ics`;
  }
}

export function meetingUrl({ keyring, baseUrl }: MeetingLinkDeps, bookingId: string): string {
  return `${baseUrl}/meetings/${meetingToken(keyring, bookingId)}`;
}

export function meetingToken(keyring: Keyring, bookingId: string): string {
  return keyring.sign('meeting', { booking_id: bookingId } satisfies MeetingToken);
}

/** The booking's id; null for anything that is no token of one. */
export function bookingOfToken(keyring: Keyring, token: string): string | null {
  const { booking_id: id } = keyring.verify<MeetingToken>('meeting', token) ?? {};
  return id !== undefined && isUuid(id) ? id : null;
}
