const attendeeMailKinds = ['confirmed', 'moved', 'reminder', 'cancelled'] as const;
export type AttendeeMailKind = (typeof attendeeMailKinds)[number];

export interface AttendeeMailKey {
  bookingId: string;
  sequence: number;
  kind: AttendeeMailKind;
}

/** Of a mail to an attendee: queued twice with the same, it is one. */
export function attendeeMailKey({ bookingId, sequence, kind }: AttendeeMailKey): string {
  return `booking/${bookingId}/${sequence}/${kind}`;
}

/** Null for any other mail's. */
export function readAttendeeMailKey(key: string | null): AttendeeMailKey | null {
  const [, bookingId, sequence, kind] = /^booking\/([0-9a-f-]{36})\/(\d+)\/(\w+)$/.exec(key ?? '') ?? [];
  const known = attendeeMailKinds.find((each) => each === kind);
  return bookingId === undefined || known === undefined
    ? null
    : { bookingId, sequence: Number(sequence), kind: known };
}
