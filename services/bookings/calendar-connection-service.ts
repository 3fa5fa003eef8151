import { isDeepStrictEqual } from 'node:util';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarConnectionRepository } from '../../repositories/bookings/calendar-connection.repository.ts';
import { mergeCalendarSettings, pickBusyRules, type CalendarSettingsChanges } from './calendar-settings.ts';

/** Properties of a calendar that the validation of the booking settings needs. */
interface KnownCalendar {
  id: string;
  canWrite: boolean;
}

export interface CalendarConnectionServiceDeps {
  connections: CalendarConnectionRepository;
  /**
   * Function that returns the calendars of the connected account.
   * @throws AppError `not_ready` if the provider is unavailable; `conflict` if the account must be
   *   reconnected
   */
  listCalendars: (scope: OrgScope, connection: CalendarConnection) => Promise<KnownCalendar[]>;
  /** Function that requests a new sync of the calendar's busy times, in the caller's transaction. */
  onChanged: (scope: OrgScope, connection: CalendarConnection) => Promise<void>;
  /**
   * Function that deletes the stored busy times of the calendars, in the caller's transaction. Called after a
   * change of the settings that decide which events count as busy.
   */
  onBusyRulesChanged: (scope: OrgScope, connection: CalendarConnection) => Promise<void>;
}

/** Manages the calendar connection of a workspace and its booking settings. */
export class CalendarConnectionService {
  readonly #deps: CalendarConnectionServiceDeps;

  constructor(deps: CalendarConnectionServiceDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `not_found` if no calendar is connected */
  async get(scope: OrgScope): Promise<CalendarConnection> {
    const connection = await this.#deps.connections.findCurrent(scope);
    if (connection) return connection;
    throw new AppError(
      'not_found',
      'No calendar is connected. Connect a calendar, or save the calendar settings to accept bookings without one.',
    );
  }

  /**
   * Checks that the calendars named in the booking settings exist in the connected account.
   * @param where part of the request to which validation errors refer
   * @throws AppError `validation_error` for an unknown or read-only calendar; `not_ready` if the provider is
   *   unavailable
   */
  async checkCalendars(
    scope: OrgScope,
    { bookingCalendarId, calendarIds }: CalendarSettingsChanges,
    where: 'body' | 'query' = 'body',
  ): Promise<void> {
    const chosenIds = [
      ...(calendarIds ?? []),
      ...(typeof bookingCalendarId === 'string' ? [bookingCalendarId] : []),
    ];
    if (chosenIds.length === 0) return;
    const connection = await this.#deps.connections.findCurrent(scope);
    const isLocal = connection === null || connection.provider === 'local';
    const calendarsById = new Map(
      (isLocal ? [] : await this.#deps.listCalendars(scope, connection)).map((each) => [each.id, each]),
    );
    if (typeof bookingCalendarId === 'string' && calendarsById.get(bookingCalendarId)?.canWrite !== true)
      throw invalidField('booking_calendar_id', 'must be a writable calendar of the account', where);
    for (const [index, id] of (calendarIds ?? []).entries())
      if (!calendarsById.has(id))
        throw where === 'body'
          ? invalidField(`calendar_ids[${index}]`, 'must be a calendar of the account')
          : invalidField('calendar_ids', 'must be calendars of the account, one per line', where);
  }

  /**
   * Updates the booking settings of a workspace. Without a connected account, creates a connection that has
   * no provider.
   * @param userId id of the team member; null for an API key
   * @throws AppError `validation_error` for invalid settings
   */
  async update(
    scope: OrgScope,
    userId: string | null,
    changes: CalendarSettingsChanges,
  ): Promise<CalendarConnection> {
    const { connections, onChanged, onBusyRulesChanged } = this.#deps;
    const connection = await this.#lockOrCreate(scope, userId);
    const settings = mergeCalendarSettings(connection, changes);
    await connections.update(scope, connection.id, { settings, updatedAt: () => 'now()' });
    const updatedConnection = { ...connection, settings };
    if (!isDeepStrictEqual(pickBusyRules(updatedConnection), pickBusyRules(connection)))
      await onBusyRulesChanged(scope, updatedConnection);
    await onChanged(scope, updatedConnection);
    return updatedConnection;
  }

  async #lockOrCreate(scope: OrgScope, connectedBy: string | null): Promise<CalendarConnection> {
    const { connections } = this.#deps;
    const existing = await connections.findCurrentLocked(scope);
    if (existing) return existing;
    await connections.insertFirst(scope, { id: newId(), provider: 'local', connectedBy });
    const created = await connections.findCurrentLocked(scope);
    if (created) return created;
    throw new AppError('conflict', 'The calendar is being disconnected; try again.');
  }
}
