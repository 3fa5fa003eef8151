import { mergeBusy } from '../../../core/bookings/busy-minutes.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarBusyRepository } from '../../../repositories/bookings/calendar-busy.repository.ts';
import type { CalendarBusy, TimeRange } from '../../../adapters/calendars/calendar-provider.ts';
import type { CalendarAccounts } from './calendar-accounts.ts';
import { readCalendarIds } from './read-calendar-ids.ts';

const DAY_MS = 86_400_000;
/**
 * Number of days beyond the last bookable day for which busy times are read. Stored busy times thus still
 * cover the last bookable day a few days later.
 */
const EXTRA_DAYS = 4;
const PAST_MS = DAY_MS;

export interface BusyReaderDeps {
  busy: CalendarBusyRepository;
  accounts: CalendarAccounts;
  clock: Clock;
  settings: Pick<Settings, 'bookingHorizonDays'>;
}

/** Reads busy times of connected calendars from their provider. */
export class BusyReader {
  readonly #deps: BusyReaderDeps;
  /**
   * Reads of busy times in progress, by the id of the calendar connection. Concurrent callers share one read.
   */
  readonly #refreshes = new Map<string, Promise<CalendarBusy[]>>();

  constructor(deps: BusyReaderDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the merged busy times of all selected calendars, as minutes since the epoch.
   * @throws CalendarReconnect, CalendarUnavailable, CalendarRefused if any calendar cannot be read
   */
  async read(
    scope: OrgScope,
    connection: CalendarConnection,
    range: TimeRange,
    signal?: AbortSignal,
  ): Promise<number[]> {
    const account = await this.#deps.accounts.open(scope, connection);
    const calendars = await account.readBusy(readCalendarIds(connection), range, { signal });
    return mergeBusy(calendars.map((calendar) => requireBusy(calendar)));
  }

  /**
   * Reads busy times from the calendar provider and stores them. Returns one result for each calendar.
   * @throws CalendarReconnect, CalendarUnavailable, CalendarRefused
   */
  refresh(scope: OrgScope, connection: CalendarConnection, signal?: AbortSignal): Promise<CalendarBusy[]> {
    const running = this.#refreshes.get(connection.id);
    if (running) return running;
    const refresh = this.#refreshBusy(scope, connection, signal).finally(() =>
      this.#refreshes.delete(connection.id),
    );
    this.#refreshes.set(connection.id, refresh);
    return refresh;
  }

  async #refreshBusy(
    scope: OrgScope,
    connection: CalendarConnection,
    signal: AbortSignal | undefined,
  ): Promise<CalendarBusy[]> {
    const { busy, accounts, clock, settings } = this.#deps;
    const aheadMs = (settings.bookingHorizonDays + EXTRA_DAYS) * DAY_MS;
    const now = clock.now().getTime();
    const range = { start: new Date(now - PAST_MS), end: new Date(now + aheadMs) };
    const ids = readCalendarIds(connection);
    const account = await accounts.open(scope, connection);
    const calendars = await account.readBusy(ids, range, { signal });
    const readCalendars = calendars.filter((calendar) => 'busy' in calendar);
    await busy.upsert(scope, connection.id, range, readCalendars);
    await busy.deleteOthers(scope, connection.id, ids);
    return calendars;
  }
}

/**
 * Returns the busy times of a calendar; throws if they could not be read.
 * @throws the error with which the calendar's provider responded
 */
function requireBusy(calendar: CalendarBusy): number[] {
  if ('error' in calendar) throw calendar.error;
  return calendar.busy;
}
