import { BLOCK_ALL } from '../../adapters/calendars/calendar-provider.ts';
import type { SlotRules } from '../../core/bookings/slots.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { requireTimeZone } from '../../core/require-time-zone.ts';
import {
  CalendarConnection,
  type StoredCalendarSettings,
} from '../../entities/bookings/calendar-connection.entity.ts';

/** Changes to the calendar settings of a workspace. Null resets a setting to its default. */
export type CalendarSettingsChanges = {
  [K in keyof StoredCalendarSettings]?: StoredCalendarSettings[K] | null;
};

/** All calendar settings of a workspace, with defaults in place of missing settings. */
export type CalendarSettings = Required<Omit<StoredCalendarSettings, 'bookingCalendarId'>> & {
  /** Calendar to which bookings are written; null if the account has no calendar. */
  bookingCalendarId: string | null;
};

const DEFAULTS = {
  slotMinutes: 30,
  bufferMinutes: 0,
  businessOpenHour: 9,
  businessCloseHour: 17,
  isWeekdaysOnly: true,
  isActive: true,
  ...BLOCK_ALL,
} as const;

/** Settings that determine whether a meeting fits into the opening hours. */
const MEETING_FIT_FIELDS = ['slotMinutes', 'businessOpenHour', 'businessCloseHour'] as const;
const ZONE_FIELDS = { body: 'timezone', query: 'business_timezone' } as const;

const NO_CALENDAR = {
  provider: 'local',
  settings: {},
  providerTimezone: null,
  primaryCalendarId: null,
  health: 'healthy',
} as const;

export function resolveCalendarSettings({
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

/** Picks the settings that determine which events of a calendar are read as busy. */
export function pickBusyRules(connection: CalendarConnection) {
  const { timezone, doAllDayEventsBlock, doUnansweredInvitationsBlock } = resolveCalendarSettings(connection);
  // Google states the time zone of each calendar.
  const zone = connection.provider === 'caldav' ? timezone : null;
  return { zone, doAllDayEventsBlock, doUnansweredInvitationsBlock };
}

export function toSlotRules(connection: CalendarConnection): SlotRules {
  const { slotMinutes, bufferMinutes, businessOpenHour, businessCloseHour, isWeekdaysOnly, timezone } =
    resolveCalendarSettings(connection);
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
 * Returns the calendar settings with the changes applied.
 * @throws AppError `validation_error` for an unknown time zone, hours in the wrong order, or hours too short
 *   for a meeting
 */
export function mergeCalendarSettings(
  connection: CalendarConnection,
  changes: CalendarSettingsChanges,
  where: 'body' | 'query' = 'body',
): StoredCalendarSettings {
  const zone = changes.timezone;
  const timezoneChange = zone && { timezone: requireTimeZone(zone, ZONE_FIELDS[where], where) };
  const merged = Object.fromEntries(
    Object.entries({ ...connection.settings, ...changes, ...timezoneChange }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  ) as StoredCalendarSettings;
  const settings = resolveCalendarSettings({ ...connection, settings: merged });
  const { businessOpenHour: opens, businessCloseHour: closes } = settings;
  if (opens >= closes)
    throw invalidField(
      changes.businessCloseHour === undefined ? 'business_open_hour' : 'business_close_hour',
      `must leave time for meetings; the opening hour is ${opens}, and the closing hour is ${closes}`,
      where,
    );
  if (MEETING_FIT_FIELDS.some((key) => changes[key] !== undefined))
    requireTimeForMeeting(settings, changes, where);
  return merged;
}

/** Throws `validation_error` if the opening hours are shorter than a meeting. */
function requireTimeForMeeting(
  { businessOpenHour: opens, businessCloseHour: closes, slotMinutes }: CalendarSettings,
  changes: CalendarSettingsChanges,
  where: 'body' | 'query',
): void {
  const openMinutes = (closes - opens) * 60;
  if (slotMinutes <= openMinutes) return;
  const hours = `the ${openMinutes} minutes from ${opens} to ${closes}`;
  if (changes.slotMinutes !== undefined)
    throw invalidField(
      'slot_minutes',
      `must be shorter: a meeting of ${slotMinutes} minutes does not fit into ${hours}; shorten the meeting, or open for longer`,
      where,
    );
  throw invalidField(
    changes.businessCloseHour === undefined ? 'business_open_hour' : 'business_close_hour',
    `must leave time for a meeting of ${slotMinutes} minutes, which does not fit into ${hours}; open for longer, or make meetings shorter (slot_minutes)`,
    where,
  );
}

/**
 * Returns the calendar connection with changed settings, without storing it. If the workspace has no
 * connection, starts from a connection without a provider.
 * @throws AppError `validation_error` for invalid settings
 */
export function proposeCalendar(
  current: CalendarConnection | null,
  changes: CalendarSettingsChanges,
): CalendarConnection {
  const connection = current ?? Object.assign(new CalendarConnection(), NO_CALENDAR);
  return { ...connection, settings: mergeCalendarSettings(connection, changes, 'query') };
}
