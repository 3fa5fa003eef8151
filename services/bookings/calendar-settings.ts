import type { SlotRules } from '../../core/bookings/slots.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { isTimeZone } from '../../core/time-zone.ts';
import {
  CalendarConnection,
  type GivenCalendarSettings,
} from '../../entities/bookings/calendar-connection.entity.ts';

/** A present key is applied, null sets the default. */
export type CalendarSettingsChanges = {
  [K in keyof GivenCalendarSettings]?: GivenCalendarSettings[K] | null;
};

/** Settings as they are in effect. */
export type CalendarSettings = Required<Omit<GivenCalendarSettings, 'bookingCalendarId'>> & {
  /** Null where the account has no calendar of its own. */
  bookingCalendarId: string | null;
};

const DEFAULTS = {
  slotMinutes: 30,
  bufferMinutes: 0,
  businessOpenHour: 9,
  businessCloseHour: 17,
  isWeekdaysOnly: true,
  isActive: true,
} as const;

const NO_CALENDAR = {
  provider: 'local',
  settings: {},
  providerTimezone: null,
  primaryCalendarId: null,
  health: 'healthy',
} as const;

export function settingsOf({
  settings,
  providerTimezone,
  primaryCalendarId,
}: Pick<CalendarConnection, 'settings' | 'providerTimezone' | 'primaryCalendarId'>): CalendarSettings {
  const bookingCalendarId = settings.bookingCalendarId ?? primaryCalendarId;
  return {
    timezone: providerTimezone ?? 'UTC',
    calendarIds: bookingCalendarId === null ? [] : [bookingCalendarId],
    ...DEFAULTS,
    ...settings,
    bookingCalendarId,
  };
}

export function rulesOf(connection: CalendarConnection): SlotRules {
  const { slotMinutes, bufferMinutes, businessOpenHour, businessCloseHour, isWeekdaysOnly, timezone } =
    settingsOf(connection);
  return {
    slotMinutes,
    bufferMinutes,
    openHour: businessOpenHour,
    closeHour: businessCloseHour,
    isWeekdaysOnly,
    timezone,
  };
}

/** @throws AppError `validation_error` for a time zone that there is not, and hours that do not follow each other */
export function mergedSettings(
  connection: CalendarConnection,
  changes: CalendarSettingsChanges,
  where: 'body' | 'query' = 'body',
): GivenCalendarSettings {
  if (typeof changes.timezone === 'string')
    requireTimeZone(changes.timezone, where, where === 'body' ? 'timezone' : 'business_timezone');
  const merged = Object.fromEntries(
    Object.entries({ ...connection.settings, ...changes }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  ) as GivenCalendarSettings;
  const { businessOpenHour: opens, businessCloseHour: closes } = settingsOf({
    ...connection,
    settings: merged,
  });
  if (opens >= closes)
    throw invalidField(
      changes.businessCloseHour === undefined ? 'business_open_hour' : 'business_close_hour',
      `must leave hours to book: ${opens} is when meetings begin, and ${closes} when they have ended`,
      where,
    );
  return merged;
}

/**
 * A calendar as it would be with other settings; one without a provider where there is none.
 * @throws AppError `validation_error`, as `mergedSettings`
 */
export function proposedOf(
  present: CalendarConnection | null,
  changes: CalendarSettingsChanges,
): CalendarConnection {
  const connection = present ?? Object.assign(new CalendarConnection(), NO_CALENDAR);
  return { ...connection, settings: mergedSettings(connection, changes, 'query') };
}

/** @throws AppError `validation_error` */
export function requireTimeZone(name: string, where: 'body' | 'query', field = 'timezone'): void {
  if (!isTimeZone(name)) throw invalidField(field, 'must be a time zone such as Europe/Berlin', where);
}
