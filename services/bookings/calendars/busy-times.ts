import { busyMinutes, mergeBusy } from '../../../core/bookings/busy-minutes.ts';
import type { Clock } from '../../../core/clock.ts';
import { AppError } from '../../../core/errors/errors.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarBusyRepository } from '../../../repositories/bookings/calendar-busy.repository.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import { withDeadline, untilAborted } from '../../../adapters/http/deadline.ts';
import type { TimeRange } from '../../../adapters/calendars/calendar-provider.ts';
import type { CalendarHealth } from './calendar-health.ts';
import { NO_BOOKINGS_NOW } from '../no-bookings-now.ts';
import { readCalendarIds } from './read-calendar-ids.ts';
import { STALE_MINUTES } from './stale-minutes.ts';
import type { BusyReader } from './busy-reader.ts';

/** How long somebody who books waits for the provider. */
const LIVE_MS = 3000;
const RETRY_SECONDS = '30';
/** That a calendar is used is noted every five minutes; clocks of processes differ by less than one. */
const USED_MS = 4 * 60_000;

export interface BusyTimesDeps {
  busy: CalendarBusyRepository;
  connections: CalendarConnectionRepository;
  reader: BusyReader;
  health: CalendarHealth;
  clock: Clock;
}

/** When the calendars of a workspace are busy: merged minutes since the epoch, `[start, end, …]`. */
export class BusyTimes {
  readonly #deps: BusyTimesDeps;

  constructor(deps: BusyTimesDeps) {
    this.#deps = deps;
  }

  /**
   * As it was read last; where that is too old, it is read now. Reads and writes outside of any transaction.
   * @throws AppError `not_ready` where nothing recent enough can be had, `conflict` where the access is gone
   */
  async cached(
    scope: OrgScope,
    connection: CalendarConnection,
    range: TimeRange,
    waitMs = LIVE_MS,
  ): Promise<number[]> {
    if (connection.provider === 'local') return [];
    if (this.#isToMark(connection)) await this.#deps.connections.markUsed(scope, connection.id);
    const kept = await this.#kept(scope, connection, range);
    if (kept) return kept;
    if (connection.health === 'reconnect_needed') throw reconnectNeeded();
    await this.#readWithin(waitMs, (signal) =>
      this.#deps.reader.refresh({ ...scope, db: scope.db.outside }, connection, signal),
    );
    const read = await this.#kept(scope, connection, range);
    if (read) return read;
    throw tooOld();
  }

  /**
   * As it is at the provider, asked for no longer than the deadline; else as it was read last. For `prepare`.
   * @throws AppError like `cached`
   */
  async live(
    scope: OrgScope,
    connection: CalendarConnection,
    range: TimeRange,
    deadlineMs = LIVE_MS,
  ): Promise<number[]> {
    if (connection.provider === 'local') return [];
    const read = await this.#readWithin(deadlineMs, (signal) =>
      this.#deps.reader.read(scope, connection, range, signal),
    );
    if (read) return read;
    const kept = await this.#kept(scope, connection, range);
    if (kept) return kept;
    throw tooOld();
  }

  /** Whether it may be time to note again that it is used; the row says whether it is. */
  #isToMark({ usedAt }: CalendarConnection): boolean {
    const { clock } = this.#deps;
    return usedAt === null || clock.now().getTime() - usedAt.getTime() >= USED_MS;
  }

  /** Null where any of the calendars was read too long ago. What lies beyond all that is known is not free. */
  async #kept(scope: OrgScope, connection: CalendarConnection, range: TimeRange): Promise<number[] | null> {
    const { busy, clock } = this.#deps;
    const ids = readCalendarIds(connection);
    const rows = await busy.listFresh(scope, {
      connectionId: connection.id,
      start: new Date(Math.max(range.start.getTime(), clock.now().getTime())),
      withinMinutes: STALE_MINUTES,
    });
    const fresh = rows.filter(({ calendarId }) => ids.includes(calendarId));
    if (ids.length === 0 || fresh.length < ids.length) return null;
    const known = Math.min(...fresh.map(({ coversUntil }) => coversUntil.getTime()));
    const beyond = busyMinutes([[known, range.end.getTime()]]);
    return mergeBusy([...fresh.map((row) => row.busy), beyond]);
  }

  /** Undefined where the provider does not say in time. What it says later is still kept. */
  async #readWithin<T>(ms: number, read: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    try {
      return await withDeadline(ms, undefined, (signal) => untilAborted(read(signal), signal));
    } catch (error) {
      if (error instanceof AppError) throw error;
      return undefined;
    }
  }
}

export function reconnectNeeded(): AppError {
  return new AppError(
    'conflict',
    'The calendar has to be connected again: its provider does not accept the access any more.',
    { forVisitors: NO_BOOKINGS_NOW },
  );
}

function tooOld(): AppError {
  return new AppError('not_ready', 'The calendar cannot be read at the moment; try again shortly.', {
    headers: { 'Retry-After': RETRY_SECONDS },
  });
}
