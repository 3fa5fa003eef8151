const attendeeMailKinds = ['confirmed', 'moved', 'reminder', 'cancelled'] as const;
export type AttendeeMailKind = (typeof attendeeMailKinds)[number];

export interface AttendeeMailKey {
  bookingId: string;
  sequence: number;
  kind: AttendeeMailKind;
}

/**
 * Builds the idempotency key of an email to a meeting's attendee. A second email with the same key is not
 * queued.
 */
export function toAttendeeMailKey({ bookingId, sequence, kind }: AttendeeMailKey): string {
  return `booking/${bookingId}/${sequence}/${kind}`;
}

/** Parses the idempotency key of an email. Returns null if the key is not that of an email to an attendee. */
export function parseAttendeeMailKey(key: string | null): AttendeeMailKey | null {
  const [, bookingId, sequence, kind] = /^booking\/([0-9a-f-]{36})\/(\d+)\/(\w+)$/.exec(key ?? '') ?? [];
  const knownKind = attendeeMailKinds.find((each) => each === kind);
  return bookingId === undefined || knownKind === undefined
    ? null
    : { bookingId, sequence: Number(sequence), kind: knownKind };
}
