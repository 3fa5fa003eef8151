export interface CalendarDescriptor {
  id: string;
  name: string;
  /** IANA name; null if the provider gives none. */
  timezone: string | null;
  isPrimary: boolean;
  canWrite: boolean;
}

export interface TimeRange {
  start: Date;
  end: Date;
}

/**
 * Merged minutes since the epoch, `[start, end, start, end, …]`, or why they could not be read. A calendar with an
 * error never counts as free.
 */
export type CalendarBusy =
  | { calendarId: string; busy: number[] }
  | { calendarId: string; error: CalendarUnavailable | CalendarRefused };

/** A meeting to write to the calendar. It has no attendees: only Parley writes to them. */
export interface CalendarEvent extends TimeRange {
  bookingId: string;
  /** Workspace of the booking, which distinguishes the event from all others in the calendar. */
  orgId: string;
  timezone: string;
  summary: string;
  description: string;
}

/** Location of an event of Parley. */
export interface EventRef {
  calendarId: string;
  eventId: string;
}

/** `deleted`: the owner has removed the event, so it is not written again. */
export type WriteOutcome = ({ state: 'written'; version: string | null } & EventRef) | { state: 'deleted' };

/** State of an event that was written before. */
export interface WrittenBefore {
  eventId: string;
  /** Version at that time; the event is only changed while it still has it. */
  version: string | null;
}

/** A booking's event, in any calendar. */
export interface OwnRef {
  bookingId: string;
  /** Null if it was not recorded. */
  eventId: string | null;
}

/** Present state of an event of Parley. */
export type OwnEvent =
  | ({ bookingId: string; state: 'there'; eventId: string; version: string | null } & TimeRange)
  | { bookingId: string; state: 'gone' };

export interface CallOptions {
  /** Aborts the whole call, which then fails with CalendarUnavailable. */
  signal?: AbortSignal | undefined;
}

/** The account of a connection at a provider. */
export interface CalendarAccount {
  listCalendars(options?: CallOptions): Promise<CalendarDescriptor[]>;
  /**
   * Reads busy times, with one result for each calendar in the same order.
   * @throws CalendarReconnect
   * @throws CalendarUnavailable if no calendar could be read
   */
  readBusy(calendarIds: readonly string[], range: TimeRange, options?: CallOptions): Promise<CalendarBusy[]>;
  /** Returns the other busy times in the calendar of this booking's event. */
  readBusyBeside(ref: EventRef, range: TimeRange, options?: CallOptions): Promise<number[]>;
  /**
   * Writes an event; a repeated call finds it.
   * @throws CalendarRefused
   * @throws CalendarReconnect
   * @throws CalendarUnavailable
   */
  writeEvent(
    calendarId: string,
    event: CalendarEvent,
    before?: WrittenBefore | null,
    options?: CallOptions,
  ): Promise<WriteOutcome>;
  /**
   * Does nothing if the event is already gone.
   * @throws like writeEvent
   */
  removeEvent(calendarId: string, ref: OwnRef, options?: CallOptions): Promise<void>;
  /** @throws like writeEvent */
  readOwnEvents(
    calendarId: string,
    refs: readonly OwnRef[],
    orgId: string,
    options?: CallOptions,
  ): Promise<OwnEvent[]>;
  /** Revokes the access on a best-effort basis. An access that is no longer valid counts as revoked. */
  revoke(options?: CallOptions): Promise<void>;
}

/** The provider refuses the request and would refuse it again. The message is for people. */
export class CalendarRefused extends Error {
  override name = 'CalendarRefused';
}

/** The access was revoked or has expired; a person must connect again. The message is for people. */
export class CalendarReconnect extends Error {
  override name = 'CalendarReconnect';
}

/** The provider is down, slow, or limits the rate. The message is for people. */
export class CalendarUnavailable extends Error {
  override name = 'CalendarUnavailable';
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}
