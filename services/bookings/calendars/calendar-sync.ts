import {
  CalendarReconnect,
  CalendarRefused,
  CalendarUnavailable,
  type CalendarAccount,
  type OwnEvent,
} from '../../../adapters/calendars/calendar-provider.ts';
import { groupItems } from '../../../core/group-items.ts';
import type { Database } from '../../../database/database.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type {
  CalendarBookingRepository,
  WrittenBooking,
} from '../../../repositories/bookings/calendar-booking.repository.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { resolveCalendarSettings } from '../calendar-settings.ts';
import type { BusyReader } from './busy-reader.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import { createDisconnectCommand, createSyncCommand } from './calendar-commands.ts';
import type { CalendarFollower } from './calendar-follower.ts';
import type { CalendarHealth } from './calendar-health.ts';
import { describeEventProblems } from './event-problems.ts';
import { readCalendarIds } from './read-calendar-ids.ts';

/** Maximum number of upcoming bookings that one sync checks. */
const MAX_BOOKINGS = 1000;
const MAX_DUE = 200;
/**
 * Time limit in milliseconds for one step of a calendar's sync. It is shorter than the activity's timeout, so
 * that the provider's error is recorded.
 */
const MAX_STEP_MS = 50_000;

export interface CalendarSyncDeps {
  accounts: CalendarAccounts;
  reader: BusyReader;
  health: CalendarHealth;
  connections: CalendarConnectionRepository;
  followed: CalendarBookingRepository;
  follower: CalendarFollower;
  outbox: OutboxService;
}

export interface FollowedEvents {
  seen: number;
  moved: number;
  removed: number;
}

/** Syncs busy times and bookings with a connected calendar account. */
export class CalendarSync {
  readonly #deps: CalendarSyncDeps;

  constructor(deps: CalendarSyncDeps) {
    this.#deps = deps;
  }

  /**
   * Reads busy times from the provider and stores them. Returns null if the calendar is no longer connected.
   * @throws CalendarReconnect, CalendarUnavailable, CalendarRefused
   */
  async readBusy(
    scope: OrgScope,
    connectionId: string,
  ): Promise<{ calendars: number; failed: number } | null> {
    const connection = await this.#findConnection(scope, connectionId);
    if (!connection) return null;
    const { reader, health } = this.#deps;
    return this.#recordFailures(scope, connection, async () => {
      const calendars = await reader.refresh(scope, connection, AbortSignal.timeout(MAX_STEP_MS));
      const errors = calendars.flatMap((calendar) => ('error' in calendar ? [calendar.error] : []));
      const [first] = errors;
      if (first && errors.length === calendars.length) throw first;
      await health.noteSync(scope, connection, {
        health: first ? 'degraded' : 'healthy',
        lastError:
          first?.message ?? describeEventProblems(calendars, resolveCalendarSettings(connection).timezone),
      });
      return { calendars: calendars.length, failed: errors.length };
    });
  }

  /**
   * Applies changes to bookings that owners made to the events in their calendar.
   * @throws CalendarReconnect, CalendarUnavailable, CalendarRefused
   */
  async followEvents(scope: OrgScope, connectionId: string): Promise<FollowedEvents> {
    const connection = await this.#findConnection(scope, connectionId);
    const followed: FollowedEvents = { seen: 0, moved: 0, removed: 0 };
    if (!connection) return followed;
    return this.#recordFailures(scope, connection, async () => {
      const { accounts, followed: rows } = this.#deps;
      const writtenBookings = await rows.listWritten(scope, connectionId, MAX_BOOKINGS);
      if (writtenBookings.length === 0) return followed;
      const account = await accounts.open(scope, connection);
      for (const [calendarId, bookings] of groupItems(
        writtenBookings,
        (booking) => booking.calendarId ?? '',
      )) {
        const events = await this.#readEvents(scope, { account, connection, calendarId, bookings });
        for (const [event, foundIn] of events)
          await this.#followEvent(scope, { event, foundIn, bookings, connectionId }, followed);
        followed.seen += bookings.length;
      }
      return followed;
    });
  }

  /**
   * Revokes Parley's access to the calendar account at its provider.
   * @throws CalendarUnavailable
   */
  async revoke(scope: OrgScope, connectionId: string): Promise<void> {
    const { connections, accounts } = this.#deps;
    const connection = await connections.find(scope, connectionId);
    if (!connection || connection.provider === 'local' || connection.sealedCredentials === null) return;
    try {
      await (await accounts.open(scope, connection)).revoke();
    } catch (error) {
      // CalendarReconnect means that the provider has already revoked the access.
      if (!(error instanceof CalendarReconnect)) throw error;
    }
  }

  async remove(scope: OrgScope, connectionId: string): Promise<void> {
    await this.#deps.connections.deleteHidden(scope, connectionId);
  }

  /**
   * Starts the workflows that sync calendars when this is due. Also starts the removal of connections whose
   * workflow was lost.
   */
  startDue(db: Database): Promise<{ due: number; left: number }> {
    const { connections, outbox } = this.#deps;
    return db.transaction(async (tx) => {
      const dueConnections = await connections.claimDue(tx, MAX_DUE);
      const disconnected = await connections.listDisconnected(tx, MAX_DUE);
      const { traceparent } = outbox;
      await outbox.commands(tx, [
        ...dueConnections.map((each) => ({
          orgId: each.orgId,
          command: createSyncCommand(each),
          traceparent,
        })),
        ...disconnected.map((each) => ({
          orgId: each.orgId,
          command: createDisconnectCommand(each),
          traceparent,
        })),
      ]);
      return { due: dueConnections.length, left: disconnected.length };
    });
  }

  async #findConnection(scope: OrgScope, id: string): Promise<CalendarConnection | null> {
    const connection = await this.#deps.connections.find(scope, id);
    return connection && connection.hiddenAt === null && connection.provider !== 'local' ? connection : null;
  }

  /**
   * Finds the calendar events of bookings, each with the calendar that contains it: owners may move events
   * between their calendars.
   */
  async #readEvents(
    scope: OrgScope,
    {
      account,
      connection,
      calendarId,
      bookings,
    }: {
      account: CalendarAccount;
      connection: CalendarConnection;
      calendarId: string;
      bookings: WrittenBooking[];
    },
  ): Promise<[OwnEvent, calendarId: string][]> {
    const refs = bookings.map(({ id: bookingId, eventId }) => ({ bookingId, eventId }));
    const signal = AbortSignal.timeout(MAX_STEP_MS);
    const events = await account.readOwnEvents(calendarId, refs, scope.orgId, { signal });
    let deletedEvents = events.filter(({ state }) => state === 'gone');
    const located = events
      .filter(({ state }) => state === 'there')
      .map((event): [OwnEvent, string] => [event, calendarId]);
    for (const other of readCalendarIds(connection).filter((id) => id !== calendarId)) {
      if (deletedEvents.length === 0) break;
      const deletedRefs = deletedEvents.map(({ bookingId }) => ({ bookingId, eventId: null }));
      const movedEvents = await findEventsInOtherCalendar(account, other, deletedRefs, scope.orgId);
      located.push(...movedEvents.map((event): [OwnEvent, string] => [event, other]));
      deletedEvents = deletedEvents.filter(
        ({ bookingId }) => !movedEvents.some((event) => event.bookingId === bookingId),
      );
    }
    return [...located, ...deletedEvents.map((event): [OwnEvent, string] => [event, calendarId])];
  }

  async #followEvent(
    scope: OrgScope,
    {
      event,
      foundIn,
      bookings,
      connectionId,
    }: { event: OwnEvent; foundIn: string; bookings: WrittenBooking[]; connectionId: string },
    followed: FollowedEvents,
  ): Promise<void> {
    const { follower, followed: rows } = this.#deps;
    const booking = bookings.find(({ id }) => id === event.bookingId);
    if (!booking) return;
    if (event.state === 'gone') {
      // Ignores the event if the booking has meanwhile moved to a newly connected calendar.
      if (!(await rows.storeFoundEvent(scope, connectionId, booking, {}))) return;
      await follower.applyRemoval(scope, booking.id);
      followed.removed += 1;
      return;
    }
    const { start, end, eventId, version: eventVersion } = event;
    const location = { calendarId: foundIn, eventId, eventVersion };
    if (!(await rows.storeFoundEvent(scope, connectionId, booking, location))) return;
    if (start.getTime() === booking.startsAt.getTime() && end.getTime() === booking.endsAt.getTime()) return;
    await follower.applyMove(scope, booking.id, { start, end });
    followed.moved += 1;
  }

  async #recordFailures<T>(
    scope: OrgScope,
    connection: CalendarConnection,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (
        error instanceof CalendarReconnect ||
        error instanceof CalendarUnavailable ||
        error instanceof CalendarRefused
      )
        await this.#deps.health.noteFailure(scope, connection, error);
      throw error;
    }
  }
}

/**
 * Searches another calendar for the events of bookings. A calendar that refuses the request counts as empty.
 */
async function findEventsInOtherCalendar(
  account: CalendarAccount,
  calendarId: string,
  refs: { bookingId: string; eventId: null }[],
  orgId: string,
): Promise<OwnEvent[]> {
  try {
    return (await account.readOwnEvents(calendarId, refs, orgId)).filter(({ state }) => state === 'there');
  } catch (error) {
    if (error instanceof CalendarRefused) return [];
    throw error;
  }
}
