export interface CalendarDescriptor {
  id: string;
  name: string;
  /** IANA name of the calendar's time zone; null if the provider does not state one. */
  timezone: string | null;
  isPrimary: boolean;
  canWrite: boolean;
}

export interface TimeRange {
  start: Date;
  end: Date;
}

/**
 * Busy times of a calendar in minutes since the epoch: `[start, end, start, end, …]`, merged and sorted. An
 * error in place of busy times means that they are unknown, so no time may count as free.
 */
export type CalendarBusy =
  | {
      calendarId: string;
      busy: number[];
      /** Events of the calendar that could not be read completely; absent if every event could be read. */
      problems?: EventProblem[];
    }
  | { calendarId: string; error: CalendarUnavailable | CalendarRefused };

/**
 * Reason why a calendar event could not be read completely. `start`: the start is invalid, so the event
 * blocks nothing. `end`: the end is invalid, so the event blocks an hour or a day. `order`: the event ends
 * before it begins. `rule` and `dates`: the recurrences are incomplete. `zone`: the time zone is unknown.
 * `truncated`: the server sent only a part.
 */
export type EventFault = 'start' | 'end' | 'order' | 'rule' | 'dates' | 'zone' | 'truncated';

/** An event that could not be read completely. The event's own time counts as busy, if its start is known. */
export interface EventProblem {
  /** Title of the event; null if the event is private or has no title. */
  title: string | null;
  start: Date | null;
  isAllDay: boolean;
  fault: EventFault;
}

/** Kinds of calendar events that count as busy in addition to meetings that the owner has accepted. */
export interface BlockingKinds {
  doAllDayEventsBlock: boolean;
  doUnansweredInvitationsBlock: boolean;
}

export const BLOCK_ALL: BlockingKinds = { doAllDayEventsBlock: true, doUnansweredInvitationsBlock: true };

/**
 * A booking's event to write to the calendar. The event has no attendees, so only Parley sends invitations.
 */
export interface CalendarEvent extends TimeRange {
  bookingId: string;
  /**
   * Workspace of the booking. The id distinguishes the event from events of other workspaces in the same
   * calendar.
   */
  orgId: string;
  timezone: string;
  summary: string;
  description: string;
}

/** Reference to a calendar event that Parley wrote. */
export interface EventRef {
  calendarId: string;
  eventId: string;
}

/**
 * Result of writing an event. `deleted` means that the owner has deleted the event; Parley does not create it
 * again.
 */
export type WriteOutcome = ({ state: 'written'; version: string | null } & EventRef) | { state: 'deleted' };

/** State in which Parley last wrote a booking's event to the calendar. */
export interface WrittenBefore {
  eventId: string;
  /**
   * Version (ETag) of the event after Parley's last write. Parley changes the event only if it still has this
   * version.
   */
  version: string | null;
}

/** Reference to a booking's event, by which it is found in any calendar. */
export interface OwnRef {
  bookingId: string;
  /** Id of the event in its calendar; null if unknown. */
  eventId: string | null;
}

/** Current state of a calendar event that Parley wrote for a booking. */
export type OwnEvent =
  | ({ bookingId: string; state: 'there'; eventId: string; version: string | null } & TimeRange)
  | { bookingId: string; state: 'gone' };

export interface CallOptions {
  /** Signal that aborts the whole call, which then fails with CalendarUnavailable. */
  signal?: AbortSignal | undefined;
}

/** An account at a calendar provider that is connected to Parley. */
export interface CalendarAccount {
  listCalendars(options?: CallOptions): Promise<CalendarDescriptor[]>;
  /**
   * Reads the busy times of calendars. Returns one result per calendar, in the order of `calendarIds`.
   * @throws CalendarReconnect
   * @throws CalendarUnavailable if no calendar could be read
   */
  readBusy(calendarIds: readonly string[], range: TimeRange, options?: CallOptions): Promise<CalendarBusy[]>;
  /** Returns the busy times in the calendar of a booking's event, without the event itself. */
  readBusyExcept(ref: EventRef, range: TimeRange, options?: CallOptions): Promise<number[]>;
  /**
   * Writes a booking's event to a calendar. Idempotent: a repeated call finds the event of the first call.
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
   * Deletes a booking's event from its calendar. Does nothing if it no longer exists.
   * @throws the same errors as `writeEvent`
   */
  removeEvent(calendarId: string, ref: OwnRef, options?: CallOptions): Promise<void>;
  /**
   * Returns the current state of the bookings' events; omits events that cannot be read now.
   * @throws the same errors as `writeEvent`
   */
  readOwnEvents(
    calendarId: string,
    refs: readonly OwnRef[],
    orgId: string,
    options?: CallOptions,
  ): Promise<OwnEvent[]>;
  /**
   * Revokes Parley's access to the calendar account, if the provider allows it. Access that is already
   * invalid counts as revoked.
   */
  revoke(options?: CallOptions): Promise<void>;
}

/**
 * Thrown if the calendar provider refused the request, and would refuse a repeat. The message is for people.
 */
export class CalendarRefused extends Error {
  override name = 'CalendarRefused';
}

/**
 * Thrown if access to the calendar account was revoked or has expired; a person must connect it again. The
 * message is for people.
 */
export class CalendarReconnect extends Error {
  override name = 'CalendarReconnect';
}

/** Thrown if the calendar provider is down, slow, or limits the request rate. The message is for people. */
export class CalendarUnavailable extends Error {
  override name = 'CalendarUnavailable';
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}
