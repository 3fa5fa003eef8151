const attendeeMailKinds = ['confirmed', 'moved', 'reminder', 'cancelled'] as const;
export type AttendeeMailKind = (typeof attendeeMailKinds)[number];

export interface AttendeeMailKey {
  bookingId: string;
  sequence: number;
  kind: AttendeeMailKind;
}

/** Idempotency key of a mail to an attendee: mails with the same key are queued once. */
export function toAttendeeMailKey({ bookingId, sequence, kind }: AttendeeMailKey): string {
  return `booking/${bookingId}/${sequence}/${kind}`;
}

/** Returns null for the key of any other mail. */
export function parseAttendeeMailKey(key: string | null): AttendeeMailKey | null {
  const [, bookingId, sequence, kind] = /^booking\/([0-9a-f-]{36})\/(\d+)\/(\w+)$/.exec(key ?? '') ?? [];
  const knownKind = attendeeMailKinds.find((each) => each === kind);
  return bookingId === undefined || knownKind === undefined
    ? null
    : { bookingId, sequence: Number(sequence), kind: knownKind };
}
