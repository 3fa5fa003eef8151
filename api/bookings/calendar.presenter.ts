import type { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import {
  resolveCalendarSettings,
  type CalendarSettingsChanges,
} from '../../services/bookings/calendar-settings.ts';
import type { CalendarConnectionRead, ConnectionSettings } from './calendar.schemas.ts';

export function presentConnection(connection: CalendarConnection): CalendarConnectionRead {
  const settings = resolveCalendarSettings(connection);
  return {
    id: connection.id,
    provider: connection.provider,
    account_email: connection.accountEmail,
    health: settings.isActive ? connection.health : 'paused',
    last_error: connection.lastError,
    last_synced_at: connection.lastSyncedAt?.toISOString() ?? null,
    connected_at: connection.connectedAt.toISOString(),
    booking_calendar_id: settings.bookingCalendarId,
    buffer_minutes: settings.bufferMinutes,
    business_close_hour: settings.businessCloseHour,
    business_open_hour: settings.businessOpenHour,
    calendar_ids: settings.calendarIds,
    is_active: settings.isActive,
    slot_minutes: settings.slotMinutes,
    timezone: settings.timezone,
    weekdays_only: settings.isWeekdaysOnly,
    all_day_events_block: settings.doAllDayEventsBlock,
    unanswered_invitations_block: settings.doUnansweredInvitationsBlock,
  };
}

/**
 * Converts the settings in a request to changes of a calendar connection. Missing keys leave a setting
 * unchanged.
 */
export function toSettingsChanges(body: ConnectionSettings): CalendarSettingsChanges {
  const changes = {
    bookingCalendarId: body.booking_calendar_id,
    bufferMinutes: body.buffer_minutes,
    businessCloseHour: body.business_close_hour,
    businessOpenHour: body.business_open_hour,
    calendarIds: body.calendar_ids,
    isActive: body.is_active,
    slotMinutes: body.slot_minutes,
    timezone: body.timezone,
    isWeekdaysOnly: body.weekdays_only,
    doAllDayEventsBlock: body.all_day_events_block,
    doUnansweredInvitationsBlock: body.unanswered_invitations_block,
  };
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as CalendarSettingsChanges;
}

interface ProposedSettings extends Omit<ConnectionSettings, 'timezone' | 'calendar_ids'> {
  business_timezone?: string | undefined;
  /** Ids of the calendars to use, separated by line breaks. */
  calendar_ids?: string | undefined;
}

/** Converts the query parameters for a preview of free slots to calendar settings. */
export function toProposedSettings({
  business_timezone: timezone,
  calendar_ids: ids,
  ...settings
}: ProposedSettings): CalendarSettingsChanges {
  return toSettingsChanges({
    ...settings,
    timezone,
    ...(ids !== undefined && { calendar_ids: ids.split('\n').filter(Boolean) }),
  });
}
