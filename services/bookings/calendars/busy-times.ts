import { mergeBusyMinutes, mergeBusy } from '../../../core/bookings/busy-minutes.ts';
import type { Clock } from '../../../core/clock.ts';
import { AppError } from '../../../core/errors/errors.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarBusyRepository } from '../../../repositories/bookings/calendar-busy.repository.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import { withDeadline, rejectOnAbort } from '../../../adapters/http/deadline.ts';
import type { TimeRange } from '../../../adapters/calendars/calendar-provider.ts';
import type { CalendarHealth } from './calendar-health.ts';
import { BOOKINGS_UNAVAILABLE } from '../bookings-unavailable.ts';
import { readCalendarIds } from './read-calendar-ids.ts';
import { STALE_MINUTES } from './stale-minutes.ts';
import type { BusyReader } from './busy-reader.ts';

/** Time limit for reading a calendar while a person waits for the booking, in milliseconds. */
const LIVE_MS = 3000;
const RETRY_SECONDS = '30';
/**
 * Minimum age of a connection's `usedAt`, in milliseconds, before this process tries to update it. The
 * database updates it every five minutes at most; the clocks of processes may differ by up to a minute.
 */
const USED_MARK_MS = 4 * 60_000;

export interface BusyTimesDeps {
  busy: CalendarBusyRepository;
  connections: CalendarConnectionRepository;
  reader: BusyReader;
  health: CalendarHealth;
  clock: Clock;
}

/**
 * Provides the busy times of a workspace's calendars: a flat list of the starts and ends of busy periods, in
 * minutes since the epoch.
 */
export class BusyTimes {
  readonly #deps: BusyTimesDeps;

  constructor(deps: BusyTimesDeps) {
    this.#deps = deps;
  }

  /**
   * Returns stored busy times. If they are too old, reads them from the calendar provider. Runs outside the
   * caller's transaction.
   * @throws AppError `not_ready` if no recent busy times are available; `conflict` if the provider has
   *   revoked the access
   */
  async getCached(
    scope: OrgScope,
    connection: CalendarConnection,
    range: TimeRange,
    waitMs = LIVE_MS,
  ): Promise<number[]> {
    if (connection.provider === 'local') return [];
    if (this.#shouldMarkUsed(connection)) await this.#deps.connections.markUsed(scope, connection.id);
    const stored = await this.#findStored(scope, connection, range);
    if (stored) return stored;
    if (connection.health === 'reconnect_needed') throw createReconnectError();
    await this.#readWithin(waitMs, (signal) =>
      this.#deps.reader.refresh({ ...scope, db: scope.db.withoutTransaction }, connection, signal),
    );
    const refreshed = await this.#findStored(scope, connection, range);
    if (refreshed) return refreshed;
    throw createStaleError();
  }

  /**
   * Reads busy times from the calendar provider within the time limit. Falls back to stored busy times.
   * @throws AppError `not_ready` if no recent busy times are available; `conflict` if the provider has
   *   revoked the access
   */
  async getLive(
    scope: OrgScope,
    connection: CalendarConnection,
    range: TimeRange,
    deadlineMs = LIVE_MS,
  ): Promise<number[]> {
    if (connection.provider === 'local') return [];
    const liveBusy = await this.#readWithin(deadlineMs, (signal) =>
      this.#deps.reader.read(scope, connection, range, signal),
    );
    if (liveBusy) return liveBusy;
    const stored = await this.#findStored(scope, connection, range);
    if (stored) return stored;
    throw createStaleError();
  }

  /** Deletes the stored busy times of a calendar connection, so that they are read again. */
  deleteStored(scope: OrgScope, { id }: CalendarConnection): Promise<void> {
    return this.#deps.busy.deleteOthers(scope, id, []);
  }

  /** Returns true if the connection's `usedAt` may be old enough for an update. The database then decides. */
  #shouldMarkUsed({ usedAt }: CalendarConnection): boolean {
    const { clock } = this.#deps;
    return usedAt === null || clock.now().getTime() - usedAt.getTime() >= USED_MARK_MS;
  }

  /**
   * Returns stored busy times; null if the busy times of any calendar are too old. Time after the end of the
   * stored range counts as busy.
   */
  async #findStored(
    scope: OrgScope,
    connection: CalendarConnection,
    range: TimeRange,
  ): Promise<number[] | null> {
    const { busy, clock } = this.#deps;
    const ids = readCalendarIds(connection);
    const rows = await busy.listFresh(scope, {
      connectionId: connection.id,
      start: new Date(Math.max(range.start.getTime(), clock.now().getTime())),
      withinMinutes: STALE_MINUTES,
    });
    const fresh = rows.filter(({ calendarId }) => ids.includes(calendarId));
    if (ids.length === 0 || fresh.length < ids.length) return null;
    const coveredUntil = Math.min(...fresh.map(({ coversUntil }) => coversUntil.getTime()));
    const beyond = mergeBusyMinutes([[coveredUntil, range.end.getTime()]]);
    return mergeBusy([...fresh.map((row) => row.busy), beyond]);
  }

  /**
   * Runs a read of the calendar provider within a time limit. Returns undefined after the limit; the read
   * then continues and stores its result.
   */
  async #readWithin<T>(ms: number, read: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    try {
      return await withDeadline(ms, undefined, (signal) => rejectOnAbort(read(signal), signal));
    } catch (error) {
      if (error instanceof AppError) throw error;
      return undefined;
    }
  }
}

export function createReconnectError(): AppError {
  return new AppError('conflict', 'Connect the calendar again: its provider no longer grants access.', {
    forVisitors: BOOKINGS_UNAVAILABLE,
  });
}

function createStaleError(): AppError {
  return new AppError('not_ready', 'The calendar cannot be read at the moment; try again shortly.', {
    headers: { 'Retry-After': RETRY_SECONDS },
  });
}
