import type { SlotRules } from '../../core/bookings/slots.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { requireTimeZone } from '../../core/require-time-zone.ts';
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

/** Settings that decide whether a meeting fits into a day. */
const SHAPING = ['slotMinutes', 'businessOpenHour', 'businessCloseHour'] as const;
const ZONE_FIELDS = { body: 'timezone', query: 'business_timezone' } as const;

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

/**
 * @throws AppError `validation_error` for a time zone that there is not, hours that do not follow each other, and hours that no
 *   meeting fits into
 */
export function mergedSettings(
  connection: CalendarConnection,
  changes: CalendarSettingsChanges,
  where: 'body' | 'query' = 'body',
): GivenCalendarSettings {
  const zone = changes.timezone;
  const named = zone && { timezone: requireTimeZone(zone, ZONE_FIELDS[where], where) };
  const merged = Object.fromEntries(
    Object.entries({ ...connection.settings, ...changes, ...named }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  ) as GivenCalendarSettings;
  const settings = settingsOf({ ...connection, settings: merged });
  const { businessOpenHour: opens, businessCloseHour: closes } = settings;
  if (opens >= closes)
    throw invalidField(
      changes.businessCloseHour === undefined ? 'business_open_hour' : 'business_close_hour',
      `must leave hours to book: ${opens} is when meetings begin, and ${closes} when they have ended`,
      where,
    );
  if (SHAPING.some((key) => changes[key] !== undefined)) requireRoom(settings, changes, where);
  return merged;
}

/** What is saved is to be of use on some day. */
function requireRoom(
  { businessOpenHour: opens, businessCloseHour: closes, slotMinutes }: CalendarSettings,
  changes: CalendarSettingsChanges,
  where: 'body' | 'query',
): void {
  const room = (closes - opens) * 60;
  if (slotMinutes <= room) return;
  const hours = `the ${room} minutes from ${opens} to ${closes}`;
  if (changes.slotMinutes !== undefined)
    throw invalidField(
      'slot_minutes',
      `must fit into ${hours}: a meeting of ${slotMinutes} minutes never would; make it shorter, or open for longer`,
      where,
    );
  throw invalidField(
    changes.businessCloseHour === undefined ? 'business_open_hour' : 'business_close_hour',
    `must leave room for a meeting: its ${slotMinutes} minutes do not fit into ${hours}; open for longer, or make meetings shorter (slot_minutes)`,
    where,
  );
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
