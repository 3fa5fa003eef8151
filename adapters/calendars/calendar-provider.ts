export interface CalendarDescriptor {
  id: string;
  name: string;
  /** As the IANA calls it; null where the provider does not say. */
  timezone: string | null;
  isPrimary: boolean;
  canWrite: boolean;
}

export interface TimeRange {
  start: Date;
  end: Date;
}

/** Merged minutes since the epoch, `[start, end, start, end, …]`, or why they could not be read: that never means free. */
export type CalendarBusy =
  | { calendarId: string; busy: number[] }
  | { calendarId: string; error: CalendarUnavailable | CalendarRefused };

/** A meeting as the calendar is to show it. Nobody is invited by it: only we write to attendees. */
export interface CalendarEvent extends TimeRange {
  bookingId: string;
  /** What it was made for, so that it is told from everything else in the calendar. */
  orgId: string;
  timezone: string;
  summary: string;
  description: string;
}

/** Where an event of ours is. */
export interface EventRef {
  calendarId: string;
  eventId: string;
}

/** `deleted`: the owner has removed it meanwhile, so it is not written again. */
export type WriteOutcome = ({ state: 'written'; version: string | null } & EventRef) | { state: 'deleted' };

/** What is known of an event that was written before. */
export interface WrittenBefore {
  eventId: string;
  /** What the provider called its state then: only as such it is changed. */
  version: string | null;
}

/** A booking's event, in any calendar. */
export interface OwnRef {
  bookingId: string;
  /** Null where it was not recorded. */
  eventId: string | null;
}

/** What has become of an event of ours. */
export type OwnEvent =
  | ({ bookingId: string; state: 'there'; eventId: string; version: string | null } & TimeRange)
  | { bookingId: string; state: 'gone' };

export interface CallOptions {
  /** Of the whole call; an aborted one fails with CalendarUnavailable. */
  signal?: AbortSignal | undefined;
}

/** One account at a provider, as a connection opens it. */
export interface CalendarAccount {
  listCalendars(options?: CallOptions): Promise<CalendarDescriptor[]>;
  /** The same calendars in the same order. @throws CalendarReconnect, CalendarUnavailable where none could be asked */
  readBusy(calendarIds: readonly string[], range: TimeRange, options?: CallOptions): Promise<CalendarBusy[]>;
  /** What else is in the calendar of this booking's event at its time. */
  readBusyBeside(ref: EventRef, range: TimeRange, options?: CallOptions): Promise<number[]>;
  /** Repeated, it finds what is there. @throws CalendarRefused, CalendarReconnect, CalendarUnavailable */
  writeEvent(
    calendarId: string,
    event: CalendarEvent,
    before?: WrittenBefore | null,
    options?: CallOptions,
  ): Promise<WriteOutcome>;
  /** Does nothing where it is gone already. @throws like writeEvent */
  removeEvent(calendarId: string, ref: OwnRef, options?: CallOptions): Promise<void>;
  /** @throws like writeEvent */
  readOwnEvents(
    calendarId: string,
    refs: readonly OwnRef[],
    orgId: string,
    options?: CallOptions,
  ): Promise<OwnEvent[]>;
  /** Gives the access up. Works as well as it can: an access that is not good any more is given up already. */
  revoke(options?: CallOptions): Promise<void>;
}

/** The provider said no to this, and would again. The message is for people. */
export class CalendarRefused extends Error {
  override name = 'CalendarRefused';
}

/** The access was withdrawn or has expired: somebody has to connect again. The message is for people. */
export class CalendarReconnect extends Error {
  override name = 'CalendarReconnect';
}

/** The provider is away, slow, or has had too many requests. The message is for people. */
export class CalendarUnavailable extends Error {
  override name = 'CalendarUnavailable';
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}
