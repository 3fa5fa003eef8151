import type { Keyring } from '../../adapters/keys/keyring.ts';
import { isUuid } from '../../core/ids.ts';

interface MeetingToken {
  booking_id: string;
}

/** Where attendees see their meeting and cancel it: the same address each time, for whoever was given it. */
export function meetingUrl(
  { keyring, baseUrl }: { keyring: Keyring; baseUrl: string },
  bookingId: string,
): string {
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
