import { isTimeZone } from '../../../core/time-zone.ts';
import type { CalendarConnection, ConnectionSettings } from '../../client/types.ts';

/** Values of the form for the calendar settings. */
export interface SettingsDraft {
  isActive: boolean;
  slot: string;
  buffer: string;
  opens: string;
  closes: string;
  weekdaysOnly: boolean;
  allDayEventsBlock: boolean;
  unansweredInvitationsBlock: boolean;
  zone: string;
  bookingCalendar: string;
  /** Ids of the calendars whose events block slots, one per line. */
  calendars: string;
}

export type Settings = Required<{
  [K in keyof ConnectionSettings]: NonNullable<ConnectionSettings[K]> | null;
}>;

/** Initial values of the calendar settings form while no calendar is connected. */
const DEFAULTS: Settings = {
  slot_minutes: 30,
  buffer_minutes: 0,
  business_open_hour: 9,
  business_close_hour: 17,
  weekdays_only: true,
  all_day_events_block: true,
  unanswered_invitations_block: true,
  is_active: true,
  timezone: 'UTC',
  booking_calendar_id: null,
  calendar_ids: [],
};

function getStoredSettings(connection: CalendarConnection | null): Settings {
  return connection ?? DEFAULTS;
}

/**
 * Converts the stored calendar settings to form values.
 * @param zone time zone to suggest while no calendar is connected
 */
export function toSettingsDraft(connection: CalendarConnection | null, zone: string): SettingsDraft {
  const stored = getStoredSettings(connection);
  return {
    isActive: stored.is_active ?? true,
    slot: String(stored.slot_minutes),
    buffer: String(stored.buffer_minutes),
    opens: String(stored.business_open_hour),
    closes: String(stored.business_close_hour),
    weekdaysOnly: stored.weekdays_only ?? true,
    allDayEventsBlock: stored.all_day_events_block ?? true,
    unansweredInvitationsBlock: stored.unanswered_invitations_block ?? true,
    zone: connection?.timezone ?? zone,
    bookingCalendar: stored.booking_calendar_id ?? '',
    calendars: (stored.calendar_ids ?? []).toSorted().join('\n'),
  };
}

/** Converts form values to calendar settings. The API replaces an empty field by its default. */
export function toSettings(draft: SettingsDraft): Settings {
  return {
    is_active: draft.isActive,
    slot_minutes: parseOptionalNumber(draft.slot),
    buffer_minutes: parseOptionalNumber(draft.buffer),
    business_open_hour: Number(draft.opens),
    business_close_hour: Number(draft.closes),
    weekdays_only: draft.weekdaysOnly,
    all_day_events_block: draft.allDayEventsBlock,
    unanswered_invitations_block: draft.unansweredInvitationsBlock,
    timezone: draft.zone.trim() || null,
    booking_calendar_id: draft.bookingCalendar || null,
    calendar_ids: draft.calendars.split('\n').filter(Boolean),
  };
}

/** Returns the calendar settings that differ from the stored settings. */
export function findChangedSettings(
  draft: SettingsDraft,
  connection: CalendarConnection | null,
): ConnectionSettings {
  const stored = getStoredSettings(connection);
  const sorted = { ...stored, calendar_ids: (stored.calendar_ids ?? []).toSorted() };
  const changed = Object.entries(toSettings(draft)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(sorted[name as keyof Settings]),
  );
  return Object.fromEntries(changed) as ConnectionSettings;
}

/**
 * Explains why a preview of free slots is impossible with these settings; null if the API can compute a
 * preview.
 */
export function findSettingsFault(draft: SettingsDraft): string | null {
  const { slot_minutes: slot, buffer_minutes: buffer, timezone: zone } = toSettings(draft);
  if (!isIntegerWithin(slot, 5, 480)) return 'Enter a duration of 5 to 480 minutes.';
  if (!isIntegerWithin(buffer, 0, 240)) return 'Enter a buffer of 0 to 240 minutes.';
  if (Number(draft.opens) >= Number(draft.closes)) return 'Choose an end time that is after the start time.';
  if ((slot ?? 0) > (Number(draft.closes) - Number(draft.opens)) * 60)
    return 'The duration is longer than the time from start to end.';
  if (zone === null || !isTimeZone(zone)) return 'Choose a time zone.';
  return null;
}

function parseOptionalNumber(typed: string): number | null {
  return typed.trim() === '' ? null : Number(typed);
}

function isIntegerWithin(value: number | null, min: number, max: number): boolean {
  return value === null || (Number.isInteger(value) && value >= min && value <= max);
}
